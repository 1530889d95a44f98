resource "aws_iam_role" "workers" {
  name               = "${var.cluster}-workers"
  assume_role_policy = data.aws_iam_policy_document.trust["ec2.${data.aws_partition.current.dns_suffix}"].json
}

resource "aws_iam_role_policy_attachment" "workers" {
  for_each = toset(["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKS_CNI_Policy"])

  role       = aws_iam_role.workers.name
  policy_arn = "arn:${local.partition}:iam::aws:policy/${each.value}"
}

resource "aws_iam_instance_profile" "workers" {
  name = "${var.cluster}-workers"
  role = aws_iam_role.workers.name
}

data "aws_ssm_parameter" "image" {
  name = "/aws/service/eks/optimized-ami/${var.kubernetes_version}/amazon-linux-2023/arm64/standard/recommended/image_id"
}

# One group for each zone, because a volume of EBS stays in its zone.
module "workers" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-workers"
  cluster              = var.cluster
  role                 = "worker"
  one_group_per_zone   = true
  cluster_autoscaler   = true
  image_id             = nonsensitive(data.aws_ssm_parameter.image.value)
  instance_types       = ["m7g.large"]
  instance_profile_arn = aws_iam_instance_profile.workers.arn
  user_data            = local.user_data["workers"]
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_eks_cluster.this.vpc_config[0].cluster_security_group_id]
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
  image_id             = nonsensitive(data.aws_ssm_parameter.image.value)
  instance_types       = ["m7g.large", "m6g.large", "m8g.large", "m7gd.large", "m6gd.large"]
  instance_profile_arn = aws_iam_instance_profile.workers.arn
  user_data            = local.user_data["spot"]
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_eks_cluster.this.vpc_config[0].cluster_security_group_id]
  min_size             = var.spot_size
  max_size             = 20
}

locals {
  # Its text needs the endpoint of the cluster, so it is made once the cluster is there.
  user_data_files = { for name in ["workers", "spot"] : name => "${path.module}/user-data/${name}" }
  user_data       = { for name, file in local.user_data_files : name => fileexists(file) ? filebase64(file) : null }
}
