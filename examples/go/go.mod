module digits

go 1.21
