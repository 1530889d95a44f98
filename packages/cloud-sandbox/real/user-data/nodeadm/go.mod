module drover.dev/cloud-sandbox/real/user-data/nodeadm

go 1.24.0

require github.com/awslabs/amazon-eks-ami/nodeadm v0.0.0-20240229193347-cfab22a10647 // indirect
