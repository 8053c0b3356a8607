#pragma once
#include <xlsxwriter.h>
// Flushes the file system of an open file; unistd.h of glibc declares it for _GNU_SOURCE alone.
int syncfs(int descriptor);
