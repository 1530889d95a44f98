# A deployment for each cluster of the account and region. Clusters may share a VPC and its subnets: Drover tells their groups apart by tags.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

variable "artifact_bucket" {
  description = "Your bucket for the zips, in the region of the clusters"
  type        = string
}

variable "clusters" {
  description = "The clusters, by the stage of their deployment. No two stages serve one cluster"
  type = map(object({
    cluster  = string
    vpc_id   = string
    subnet_a = string
    subnet_b = string
  }))

  validation {
    condition     = length(distinct([for one in var.clusters : one.cluster])) == length(var.clusters)
    error_message = "Two deployments of one cluster would both drain its nodes."
  }
}

module "drover" {
  source   = "../.."
  for_each = var.clusters

  stage           = each.key
  cluster         = each.value.cluster
  artifact_bucket = var.artifact_bucket
  # Each deployment is upgraded by itself, so its zips are its own.
  artifact_prefix = "drover/${each.key}/"
  network         = "private"
  vpc_id          = each.value.vpc_id
  subnet_a        = each.value.subnet_a
  subnet_b        = each.value.subnet_b
}

output "stacks" {
  description = "The name of the stack of each stage"
  value       = { for stage, one in module.drover : stage => one.stack_name }
}
