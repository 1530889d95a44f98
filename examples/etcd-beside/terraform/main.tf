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

# A release of Drover, unpacked beside this file: see the README.
module "drover" {
  source                 = "./drover/terraform"
  stage                  = var.cluster
  cluster                = var.cluster
  artifact_bucket        = var.artifact_bucket
  network                = "private"
  vpc_id                 = var.vpc_id
  subnet_a               = var.subnet_ids[0]
  subnet_b               = var.subnet_ids[1]
  bootstrap_kms_key      = var.nodes_key_arn
  node_vpc_id            = var.vpc_id
  node_instance_profiles = "control-plane=${module.role.profile_name}"
  etcd_domain            = "etcd.${var.zone_name}"
  etcd_zone_id           = aws_route53_zone.cluster.zone_id
  etcd_snapshot_bucket   = var.snapshot_bucket
}

locals {
  client_group      = module.drover.outputs["ClusterClientSecurityGroupId"]
  etcd_client_group = module.drover.outputs["EtcdClientSecurityGroupId"]
}

# What `drover pki policy --role control-plane --etcd beside` prints.
module "role" {
  source     = "../../modules/node-role"
  name       = "${var.cluster}-control-plane"
  parameters = ["/drover/${var.cluster}/pki/*", "/drover/${var.cluster}/etcd/members/*"]
  key_arn    = var.nodes_key_arn
}

module "control_plane" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-control-plane"
  cluster              = var.cluster
  role                 = "control-plane"
  etcd_beside          = true
  image_id             = var.image_id
  instance_types       = ["m7g.large"]
  instance_profile_arn = module.role.profile_arn
  user_data            = trimspace(file("${path.module}/user-data/control-plane"))
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_security_group.nodes.id]
  target_group_arns    = [aws_lb_target_group.endpoint.arn]
  min_size             = var.size
  # One more than members: a refresh launches the next before the last one leaves.
  max_size = var.size + 1

  # Without Drover nothing completes the hooks, and instances must reach each other and the load balancer from the beginning.
  depends_on = [module.drover, aws_lb_listener.endpoint, aws_vpc_security_group_ingress_rule.admitted]
}
