resource "aws_eks_access_entry" "administrator" {
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = var.administrator_arn
}

resource "aws_eks_access_policy_association" "administrator" {
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = var.administrator_arn
  policy_arn    = "arn:${local.partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"

  access_scope {
    type = "cluster"
  }

  depends_on = [aws_eks_access_entry.administrator]
}

# EKS approves and signs the certificates of instances with this role.
resource "aws_eks_access_entry" "workers" {
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = aws_iam_role.workers.arn
  type          = "EC2_LINUX"
}

locals {
  drover_groups = {
    node-leaving = "drover"
    node-joining = "drover"
    sweep        = "drover:reader"
    scale-api    = "drover:reader"
  }
}

resource "aws_eks_access_entry" "drover" {
  for_each = local.drover_groups

  cluster_name      = aws_eks_cluster.this.name
  principal_arn     = "arn:${local.partition}:iam::${local.account}:role${var.drover_role_path}${module.drover.stack_name}-${each.key}"
  kubernetes_groups = [each.value]
}

locals {
  admitted = {
    drover         = { from = module.drover.outputs["ClusterClientSecurityGroupId"], why = "Drover to the API server" }
    administrators = { from = var.administrators_security_group_id, why = "kubectl to the API server" }
  }
}

resource "aws_vpc_security_group_ingress_rule" "api_server" {
  for_each = local.admitted

  description                  = each.value.why
  security_group_id            = aws_eks_cluster.this.vpc_config[0].cluster_security_group_id
  referenced_security_group_id = each.value.from
  ip_protocol                  = "tcp"
  from_port                    = 443
  to_port                      = 443
}
