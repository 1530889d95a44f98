terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

provider "aws" {
  region = var.region

  ignore_tags {
    # What Drover writes to groups. A prefix would hide the tags that you declare yourself.
    keys = ["drover.dev/paused", "drover.dev/etcd-status"]
  }
}

module "compute_role" {
  source     = "../../modules/node-role"
  name       = "${var.cluster}-compute"
  parameters = ["/drover/${var.cluster}/node-bootstrapper-kubeconfig", "/drover/${var.cluster}/registry"]
  key_arn    = var.nodes_key_arn
}

module "infra_role" {
  source     = "../../modules/node-role"
  name       = "${var.cluster}-infra"
  parameters = ["/drover/${var.cluster}/node-bootstrapper-kubeconfig", "/drover/${var.cluster}/registry"]
  key_arn    = var.nodes_key_arn
}

locals {
  # Drover manages no nodes of 3.11, so the groups have neither its role nor its hooks.
  cluster_tag = { "kubernetes.io/cluster/${var.cluster}" = { value = "owned", at_launch = true } }
}

module "compute" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-compute"
  cluster              = var.cluster
  tags                 = local.cluster_tag
  image_id             = var.image_id
  instance_types       = ["m5.xlarge"]
  instance_profile_arn = module.compute_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/compute")
  subnet_ids           = var.subnet_ids
  security_group_ids   = var.node_security_group_ids
  min_size             = var.compute_size
  max_size             = 20
}

module "infra" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-infra"
  cluster              = var.cluster
  tags                 = local.cluster_tag
  image_id             = var.image_id
  instance_types       = ["m5.xlarge"]
  instance_profile_arn = module.infra_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/infra")
  subnet_ids           = var.subnet_ids
  security_group_ids   = var.node_security_group_ids
  min_size             = var.infra_size
  max_size             = 6
}
