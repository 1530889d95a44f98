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
  bootstrap_roles        = "worker,control-plane"
  bootstrap_groups       = "system:bootstrappers:drover:worker,system:bootstrappers:kubeadm:default-node-token"
  bootstrap_kms_key      = var.nodes_key_arn
  node_vpc_id            = var.vpc_id
  node_instance_profiles = "worker=${module.worker_role.profile_name},control-plane=${module.control_plane_role.profile_name}"
  etcd_domain            = "etcd.${var.zone_name}"
  etcd_zone_id           = var.zone_id
  etcd_snapshot_bucket   = var.snapshot_bucket
}

locals {
  client_group      = module.drover.outputs["ClusterClientSecurityGroupId"]
  etcd_client_group = module.drover.outputs["EtcdClientSecurityGroupId"]
}

module "worker_role" {
  source     = "../../modules/node-role"
  name       = "${var.cluster}-workers"
  parameters = ["/drover/${var.cluster}/bootstrap-kubeconfig"]
  key_arn    = var.nodes_key_arn
}

module "control_plane_role" {
  source     = "../../modules/node-role"
  name       = "${var.cluster}-control-plane"
  parameters = concat(["/drover/${var.cluster}/bootstrap-kubeconfig-control-plane"], [for file in local.control_plane_files : "/drover/${var.cluster}/pki/${file}"])
  key_arn    = var.nodes_key_arn
}

module "etcd_role" {
  source     = "../../modules/node-role"
  name       = "${var.cluster}-etcd"
  parameters = concat(["/drover/${var.cluster}/etcd/members/*"], [for file in local.etcd_files : "/drover/${var.cluster}/pki/etcd/${file}"])
  key_arn    = var.nodes_key_arn
}

locals {
  # What `drover pki upload --all` publishes and a control-plane node fetches.
  control_plane_files = [
    "ca.crt",
    "ca.key",
    "sa.key",
    "sa.pub",
    "front-proxy-ca.crt",
    "front-proxy-ca.key",
    "front-proxy-client.crt",
    "front-proxy-client.key",
    "etcd/ca.crt",
    "apiserver-etcd-client.crt",
    "apiserver-etcd-client.key",
  ]

  etcd_files = [
    "ca.crt",
    "server.crt",
    "server.key",
    "peer.crt",
    "peer.key",
  ]
}

module "etcd" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-etcd"
  cluster              = var.cluster
  role                 = "etcd"
  image_id             = var.etcd_image_id
  instance_types       = ["m7g.large"]
  instance_profile_arn = module.etcd_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/etcd")
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_security_group.etcd.id]
  min_size             = var.etcd_size
  # One more than members: a refresh launches the next before the last one leaves.
  max_size = 4
}

module "control_plane" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-control-plane"
  cluster              = var.cluster
  role                 = "control-plane"
  image_id             = var.image_id
  instance_types       = ["m7g.large"]
  instance_profile_arn = module.control_plane_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/control-plane")
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_security_group.nodes.id]
  target_group_arns    = [aws_lb_target_group.endpoint.arn]
  min_size             = var.control_plane_size
  max_size             = 5
}

# One group for each zone, because a volume of EBS stays in its zone.
module "workers" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-workers"
  cluster              = var.cluster
  role                 = "worker"
  one_group_per_zone   = true
  cluster_autoscaler   = true
  image_id             = var.image_id
  instance_types       = ["m7g.large"]
  instance_profile_arn = module.worker_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/workers")
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_security_group.nodes.id]
  min_size             = var.workers_size
  max_size             = 7
  warm_pool_size       = var.workers_warm_pool_size
}

# For pods without volumes: all zones, because more pools of capacity mean fewer interruptions. The taint keeps the other pods away.
module "spot" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-spot"
  cluster              = var.cluster
  role                 = "worker"
  spot                 = true
  cluster_autoscaler   = true
  node_labels          = { "node.kubernetes.io/lifecycle" = "spot" }
  node_taints          = { "node.kubernetes.io/lifecycle" = "spot:NoSchedule" }
  image_id             = var.image_id
  instance_types       = ["m7g.large", "m6g.large", "m8g.large", "m7gd.large", "m6gd.large"]
  instance_profile_arn = module.worker_role.profile_arn
  user_data            = filebase64("${path.module}/user-data/spot")
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_security_group.nodes.id]
  min_size             = var.spot_size
  max_size             = 20
}
