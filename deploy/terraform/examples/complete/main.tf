# One cluster in a private network, with a bucket for the zips.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

variable "cluster" {
  description = "The name of the cluster, as in the tag kubernetes.io/cluster/NAME of its groups"
  type        = string
}

variable "vpc_id" {
  description = "The VPC from which the API server is reached"
  type        = string
}

variable "subnets" {
  description = "Two private subnets of the VPC, in different zones"
  type        = list(string)
}

resource "aws_s3_bucket" "artifacts" {
  bucket_prefix = "drover-artifacts-"
}

resource "aws_s3_bucket_public_access_block" "artifacts" {
  bucket = aws_s3_bucket.artifacts.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

module "drover" {
  source = "../.."

  stage           = "prod"
  cluster         = var.cluster
  artifact_bucket = aws_s3_bucket.artifacts.id
  network         = "private"
  vpc_id          = var.vpc_id
  subnet_a        = var.subnets[0]
  subnet_b        = var.subnets[1]
}

output "drover" {
  description = "The outputs of the stack"
  value       = module.drover.outputs
}
