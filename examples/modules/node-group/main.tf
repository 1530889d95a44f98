# A group of nodes that Drover manages: its launch template, tags and hooks. The clusters in examples/ use it for each of their groups.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

resource "aws_launch_template" "this" {
  name                   = var.name
  image_id               = var.image_id
  instance_type          = var.instance_type
  vpc_security_group_ids = var.security_group_ids
  user_data              = var.user_data

  iam_instance_profile {
    arn = var.instance_profile_arn
  }

  # Pods must not get the credentials of the node: one hop, and no requests without a session.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
}

locals {
  # Drover reads its own tags from the group, so instances need no copy of them.
  own_tags = var.role == null ? {} : {
    "kubernetes.io/cluster/${var.cluster}" = { value = "owned", at_launch = true }
    "drover.dev/role"                      = { value = var.role, at_launch = false }
  }
  tags = merge(local.own_tags, { Name = { value = var.name, at_launch = true } }, var.tags)

  node_hooks = {
    "drover-node-joining" = { transition = "LAUNCHING", default_result = "CONTINUE" }
    "drover-node-leaving" = { transition = "TERMINATING", default_result = "CONTINUE" }
  }
  hooks = {
    worker = local.node_hooks
    # No hook on launches yet: Auto Scaling registers an instance with the load balancer only after such a hook, and the hook would wait for
    # the API server behind it. `drover hooks install --joining` adds it once there is an API server.
    control-plane = { for name, hook in local.node_hooks : name => hook if hook.transition == "TERMINATING" }
    etcd = {
      "drover-etcd-launch" = { transition = "LAUNCHING", default_result = "ABANDON" }
      "drover-etcd"        = { transition = "TERMINATING", default_result = "CONTINUE" }
    }
    none = {}
  }
}

resource "aws_autoscaling_group" "this" {
  name                = var.name
  min_size            = var.min_size
  max_size            = var.max_size
  desired_capacity    = var.min_size
  vpc_zone_identifier = var.subnet_ids
  target_group_arns   = var.target_group_arns

  # Drover completes the launch hook once the node is Ready, which can take longer than Terraform waits.
  wait_for_capacity_timeout = "0"

  launch_template {
    id      = aws_launch_template.this.id
    version = aws_launch_template.this.latest_version
  }

  # Made with the group, so that no instance comes or goes without them. Terraform ignores them afterwards: `drover hooks install`.
  dynamic "initial_lifecycle_hook" {
    for_each = local.hooks[coalesce(var.role, "none")]

    content {
      name                 = initial_lifecycle_hook.key
      lifecycle_transition = "autoscaling:EC2_INSTANCE_${initial_lifecycle_hook.value.transition}"
      heartbeat_timeout    = 3600
      default_result       = initial_lifecycle_hook.value.default_result
    }
  }

  dynamic "tag" {
    for_each = local.tags

    content {
      key                 = tag.key
      value               = tag.value.value
      propagate_at_launch = tag.value.at_launch
    }
  }

  instance_refresh {
    strategy = "Rolling"

    preferences {
      min_healthy_percentage = 100
      max_healthy_percentage = 110
    }
  }

  timeouts {
    delete = "3h"
  }

  lifecycle {
    # Holds raise both for a while, and cluster-autoscaler and `drover scale` set the desired capacity.
    ignore_changes = [min_size, desired_capacity]
  }
}
