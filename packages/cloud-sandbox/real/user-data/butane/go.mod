module drover.dev/cloud-sandbox/real/user-data/butane

go 1.24.0

require github.com/coreos/butane v0.24.0 // indirect
