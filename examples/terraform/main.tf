# An Auto Scaling group of workers that Drover drains, with the tags that assign it to the cluster, and the hook that holds an
# instance until its node is empty.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40"
    }
  }
}

resource "aws_launch_template" "workers" {
  name_prefix            = "${var.name}-"
  image_id               = var.image_id
  instance_type          = var.instance_type
  vpc_security_group_ids = var.security_group_ids
  user_data              = var.user_data

  iam_instance_profile {
    arn = var.instance_profile_arn
  }

  # Pods must not get the node's credentials: one hop, and no requests without a session.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
}

locals {
  # Drover reads its own tags from the group, so instances need no copy of them.
  tags = {
    "kubernetes.io/cluster/${var.cluster_name}" = { value = "owned", at_launch = true }
    "drover.dev/role"                           = { value = "worker", at_launch = false }
    "drover.dev/drain-timeout"                  = { value = var.drain_timeout, at_launch = false }
  }
}

resource "aws_autoscaling_group" "workers" {
  name                = var.name
  min_size            = var.min_size
  max_size            = var.max_size
  vpc_zone_identifier = var.subnet_ids

  launch_template {
    id      = aws_launch_template.workers.id
    version = aws_launch_template.workers.latest_version
  }

  # The hook is part of the group rather than an aws_autoscaling_lifecycle_hook. So it exists before the first instance, and
  # destroying the group does not remove it while instances wait. Terraform creates it with the group and ignores it
  # afterwards: change it with `drover hooks install`.
  initial_lifecycle_hook {
    name                 = "drover-node-leaving"
    lifecycle_transition = "autoscaling:EC2_INSTANCE_TERMINATING"
    heartbeat_timeout    = 3600
    default_result       = "CONTINUE"
  }

  dynamic "tag" {
    for_each = local.tags

    content {
      key                 = tag.key
      value               = tag.value.value
      propagate_at_launch = tag.value.at_launch
    }
  }

  # Replaces instances when the launch template changes; the hook holds each until its node is drained.
  instance_refresh {
    strategy = "Rolling"

    preferences {
      min_healthy_percentage = 100
      max_healthy_percentage = 110
    }
  }

  # Drains can be long: Terraform must wait until the last node is empty.
  timeouts {
    delete = "3h"
  }

  lifecycle {
    # cluster-autoscaler or `drover scale` sets the number of nodes.
    ignore_changes = [desired_capacity]
  }
}
