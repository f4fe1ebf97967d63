module mockapns

go 1.19
