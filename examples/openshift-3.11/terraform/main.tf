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
  # The groups have it without Drover too. With a role they also have hooks, which would hold instances that nothing drains.
  cluster_tag = { "kubernetes.io/cluster/${var.cluster}" = { value = "owned", at_launch = true } }
}

# One group for each zone, because a volume of EBS stays in its zone.
module "compute" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-compute"
  cluster              = var.cluster
  role                 = var.managed ? "worker" : null
  tags                 = local.cluster_tag
  one_group_per_zone   = true
  cluster_autoscaler   = true
  node_labels          = { "node-role.kubernetes.io/compute" = "true" }
  image_id             = var.image_id
  instance_types       = ["m5.xlarge"]
  instance_profile_arn = module.compute_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/compute")
  subnet_ids           = var.subnet_ids
  security_group_ids   = var.node_security_group_ids
  min_size             = var.compute_size
  max_size             = 7
}

module "infra" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-infra"
  cluster              = var.cluster
  role                 = var.managed ? "worker" : null
  tags                 = local.cluster_tag
  one_group_per_zone   = true
  cluster_autoscaler   = true
  node_labels          = { "node-role.kubernetes.io/infra" = "true" }
  image_id             = var.image_id
  instance_types       = ["m5.xlarge"]
  instance_profile_arn = module.infra_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/infra")
  subnet_ids           = var.subnet_ids
  security_group_ids   = var.node_security_group_ids
  min_size             = var.infra_size
  max_size             = 3
}

# For pods without volumes that may end at any time: unless Drover manages it, nothing drains nodes when EC2 interrupts them.
module "spot" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-spot"
  cluster              = var.cluster
  role                 = var.managed ? "worker" : null
  tags                 = local.cluster_tag
  spot                 = true
  cluster_autoscaler   = true
  node_labels          = { "node.kubernetes.io/lifecycle" = "spot" }
  image_id             = var.image_id
  instance_types       = ["m5.xlarge", "m5a.xlarge", "m5d.xlarge", "m5n.xlarge", "m5ad.xlarge"]
  instance_profile_arn = module.compute_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/spot")
  subnet_ids           = var.subnet_ids
  security_group_ids   = var.node_security_group_ids
  min_size             = var.spot_size
  max_size             = 20
}
