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
  instance_type          = var.instance_types[0]
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
    # cluster-autoscaler finds the group by these. It predicts labels and taints of your user data by further tags, see docs/group-layout.md.
    "k8s.io/cluster-autoscaler/enabled"             = { value = "true", at_launch = false }
    "k8s.io/cluster-autoscaler/${var.cluster_name}" = { value = "owned", at_launch = false }
  }
}

resource "aws_autoscaling_group" "workers" {
  name                = var.name
  min_size            = var.min_size
  max_size            = var.max_size
  vpc_zone_identifier = var.subnet_ids

  # Replaces an instance that EC2 is likely to interrupt once another one is in service; the hook drains its node before.
  capacity_rebalance = var.spot
  # Interruptions leave the zones of Spot unbalanced, and Auto Scaling would terminate more nodes to balance them.
  suspended_processes = var.spot ? ["AZRebalance"] : []

  dynamic "launch_template" {
    for_each = var.spot ? [] : ["on-demand"]

    content {
      id      = aws_launch_template.workers.id
      version = aws_launch_template.workers.latest_version
    }
  }

  dynamic "mixed_instances_policy" {
    for_each = var.spot ? ["spot"] : []

    content {
      instances_distribution {
        on_demand_base_capacity                  = 0
        on_demand_percentage_above_base_capacity = 0
        spot_allocation_strategy                 = "capacity-optimized"
      }

      launch_template {
        launch_template_specification {
          launch_template_id = aws_launch_template.workers.id
          version            = aws_launch_template.workers.latest_version
        }

        # No weights: cluster-autoscaler counts an instance as one.
        dynamic "override" {
          for_each = var.instance_types

          content {
            instance_type = override.value
          }
        }
      }
    }
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

  # Launches before it terminates, also to replace an instance that is Unhealthy.
  instance_maintenance_policy {
    min_healthy_percentage = 100
    max_healthy_percentage = 110
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
