print("crossfoot")
