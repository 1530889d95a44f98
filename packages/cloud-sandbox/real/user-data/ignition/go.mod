module drover.dev/cloud-sandbox/real/user-data/ignition

go 1.24.0

require github.com/coreos/ignition/v2 v2.22.0 // indirect
