# The name of the API server: the same for nodes, people and Drover, whichever control-plane nodes there are.
resource "aws_route53_record" "endpoint" {
  zone_id = var.zone_id
  name    = "api.${var.zone_name}"
  type    = "A"

  alias {
    name                   = aws_lb.endpoint.dns_name
    zone_id                = aws_lb.endpoint.zone_id
    evaluate_target_health = false
  }
}

resource "aws_lb" "endpoint" {
  # checkov:skip=CKV_AWS_91: The audit log of the API server says more than the access log of a TCP listener
  name                             = "${var.cluster}-api"
  load_balancer_type               = "network"
  internal                         = true
  subnets                          = var.subnet_ids
  security_groups                  = [aws_security_group.endpoint.id]
  enable_deletion_protection       = true
  enable_cross_zone_load_balancing = true
}

resource "aws_lb_target_group" "endpoint" {
  name     = "${var.cluster}-api"
  vpc_id   = var.vpc_id
  protocol = "TCP"
  port     = 6443

  # A control-plane node reaches itself through the load balancer.
  preserve_client_ip   = false
  deregistration_delay = 60

  health_check {
    protocol = "HTTPS"
    path     = "/readyz"
  }
}

resource "aws_lb_listener" "endpoint" {
  load_balancer_arn = aws_lb.endpoint.arn
  protocol          = "TCP"
  port              = 6443

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.endpoint.arn
  }
}

resource "aws_security_group" "endpoint" {
  name        = "${var.cluster}-endpoint"
  description = "The load balancer of the API server"
  vpc_id      = var.vpc_id

  egress {
    description     = "the API servers"
    protocol        = "tcp"
    from_port       = 6443
    to_port         = 6443
    security_groups = [aws_security_group.nodes.id]
  }
}

resource "aws_security_group" "nodes" {
  # checkov:skip=CKV_AWS_382: Images, AWS and what pods need are anywhere
  # checkov:skip=CKV2_AWS_5: A module attaches it
  name        = "${var.cluster}-nodes"
  description = "Every node"
  vpc_id      = var.vpc_id

  egress {
    description = "images and AWS"
    protocol    = "-1"
    from_port   = 0
    to_port     = 0
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_security_group" "etcd" {
  # checkov:skip=CKV_AWS_382: Images, AWS and what pods need are anywhere
  # checkov:skip=CKV2_AWS_5: A module attaches it
  name        = "${var.cluster}-etcd"
  description = "Members of etcd"
  vpc_id      = var.vpc_id

  egress {
    description = "images and AWS"
    protocol    = "-1"
    from_port   = 0
    to_port     = 0
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_vpc_security_group_ingress_rule" "nodes_to_nodes" {
  description                  = "pods, kubelets and the API server among nodes"
  security_group_id            = aws_security_group.nodes.id
  referenced_security_group_id = aws_security_group.nodes.id
  ip_protocol                  = "-1"
}

resource "aws_vpc_security_group_ingress_rule" "endpoint_to_nodes" {
  description                  = "the API server behind its load balancer"
  security_group_id            = aws_security_group.nodes.id
  referenced_security_group_id = aws_security_group.endpoint.id
  ip_protocol                  = "tcp"
  from_port                    = 6443
  to_port                      = 6443
}

resource "aws_vpc_security_group_ingress_rule" "nodes_to_endpoint" {
  description                  = "kubelets and pods to the API server"
  security_group_id            = aws_security_group.endpoint.id
  referenced_security_group_id = aws_security_group.nodes.id
  ip_protocol                  = "tcp"
  from_port                    = 6443
  to_port                      = 6443
}

resource "aws_vpc_security_group_ingress_rule" "drover_to_endpoint" {
  description                  = "Drover to the API server"
  security_group_id            = aws_security_group.endpoint.id
  referenced_security_group_id = local.client_group
  ip_protocol                  = "tcp"
  from_port                    = 6443
  to_port                      = 6443
}

resource "aws_vpc_security_group_ingress_rule" "control_plane_to_etcd" {
  description                  = "the API server to etcd, which asks for a certificate"
  security_group_id            = aws_security_group.etcd.id
  referenced_security_group_id = aws_security_group.nodes.id
  ip_protocol                  = "tcp"
  from_port                    = 2379
  to_port                      = 2379
}

resource "aws_vpc_security_group_ingress_rule" "drover_to_etcd" {
  description                  = "Drover to etcd"
  security_group_id            = aws_security_group.etcd.id
  referenced_security_group_id = local.etcd_client_group
  ip_protocol                  = "tcp"
  from_port                    = 2379
  to_port                      = 2379
}

resource "aws_vpc_security_group_ingress_rule" "etcd_to_etcd" {
  description                  = "members among themselves"
  security_group_id            = aws_security_group.etcd.id
  referenced_security_group_id = aws_security_group.etcd.id
  ip_protocol                  = "tcp"
  from_port                    = 2379
  to_port                      = 2380
}
