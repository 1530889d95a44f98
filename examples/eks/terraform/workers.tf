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

module "workers" {
  source               = "../../modules/node-group"
  name                 = "${var.cluster}-workers"
  cluster              = var.cluster
  role                 = "worker"
  image_id             = nonsensitive(data.aws_ssm_parameter.image.value)
  instance_types       = ["m7g.large"]
  instance_profile_arn = aws_iam_instance_profile.workers.arn
  user_data            = fileexists(local.user_data) ? filebase64(local.user_data) : null
  subnet_ids           = var.subnet_ids
  security_group_ids   = [aws_eks_cluster.this.vpc_config[0].cluster_security_group_id]
  min_size             = var.workers_size
  max_size             = 20
}

locals {
  # Its text needs the endpoint of the cluster, so it is made once the cluster is there.
  user_data = "${path.module}/user-data/workers"
}
