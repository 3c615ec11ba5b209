amount * 100
