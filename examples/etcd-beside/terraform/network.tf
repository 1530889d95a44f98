# Its own zone, so that Drover may write only there, and one deletion removes everything.
resource "aws_route53_zone" "cluster" {
  # checkov:skip=CKV2_AWS_38: Delegation signed with DNSSEC needs a key in us-east-1 and a signed parent
  # checkov:skip=CKV2_AWS_39: The query log of a public zone has to be in us-east-1
  name = var.zone_name

  # A private zone has no delegation: the resolver of the VPC prefers it to a zone with a shorter name.
  dynamic "vpc" {
    for_each = var.parent_zone_id == null ? [var.vpc_id] : []

    content {
      vpc_id = vpc.value
    }
  }
}

resource "aws_route53_record" "delegation" {
  count = var.parent_zone_id == null ? 0 : 1

  zone_id = var.parent_zone_id
  name    = var.zone_name
  type    = "NS"
  ttl     = 300
  records = aws_route53_zone.cluster.name_servers
}

# The name of the API server: the same for nodes, people and Drover, whichever instances there are.
resource "aws_route53_record" "endpoint" {
  zone_id = aws_route53_zone.cluster.zone_id
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
  enable_deletion_protection       = var.deletion_protection
  enable_cross_zone_load_balancing = true
}

resource "aws_lb_target_group" "endpoint" {
  name     = "${var.cluster}-api"
  vpc_id   = var.vpc_id
  protocol = "TCP"
  port     = 6443

  # An instance reaches itself through the load balancer.
  preserve_client_ip   = false
  deregistration_delay = 60

  health_check {
    protocol          = "HTTPS"
    path              = "/readyz"
    interval          = 10
    healthy_threshold = 2
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

locals {
  # What reaches what: each rule admits one security group.
  admitted = {
    nodes_to_nodes             = { to = aws_security_group.nodes.id, from = aws_security_group.nodes.id, ports = null, why = "etcd, kubelets, pods and the API server among nodes" }
    endpoint_to_nodes          = { to = aws_security_group.nodes.id, from = aws_security_group.endpoint.id, ports = [6443, 6443], why = "the API server behind its load balancer" }
    nodes_to_endpoint          = { to = aws_security_group.endpoint.id, from = aws_security_group.nodes.id, ports = [6443, 6443], why = "kubelets and pods to the API server" }
    drover_to_endpoint         = { to = aws_security_group.endpoint.id, from = local.client_group, ports = [6443, 6443], why = "Drover to the API server" }
    administrators_to_endpoint = { to = aws_security_group.endpoint.id, from = var.administrators_security_group_id, ports = [6443, 6443], why = "kubectl to the API server" }
    drover_to_etcd             = { to = aws_security_group.nodes.id, from = local.etcd_client_group, ports = [2379, 2379], why = "Drover to etcd" }
    administrators_to_etcd     = { to = aws_security_group.nodes.id, from = var.administrators_security_group_id, ports = [2379, 2379], why = "drover etcd to the members" }
  }
}

resource "aws_vpc_security_group_ingress_rule" "admitted" {
  for_each = local.admitted

  description                  = each.value.why
  security_group_id            = each.value.to
  referenced_security_group_id = each.value.from
  ip_protocol                  = each.value.ports == null ? "-1" : "tcp"
  from_port                    = try(each.value.ports[0], null)
  to_port                      = try(each.value.ports[1], null)
}
