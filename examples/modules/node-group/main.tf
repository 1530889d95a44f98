# A group of nodes, or one for each zone: its launch template, tags and hooks. The clusters in examples/ use it for all their groups.

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
  instance_type          = var.instance_types[0]
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

data "aws_subnet" "zonal" {
  for_each = toset(var.one_group_per_zone ? var.subnet_ids : [])

  id = each.value
}

locals {
  # A volume of EBS stays in its zone, and cluster-autoscaler can choose a group, but not the zone within a group.
  groups = var.one_group_per_zone ? {
    for subnet_id, subnet in data.aws_subnet.zonal : subnet_id => {
      name       = "${var.name}-${subnet.availability_zone}"
      subnet_ids = [subnet_id]
      # The label of the EBS CSI driver, which volumes require. cluster-autoscaler predicts it for a group without nodes.
      labels = { "topology.ebs.csi.aws.com/zone" = subnet.availability_zone }
    }
  } : { all = { name = var.name, subnet_ids = var.subnet_ids, labels = {} } }

  # Drover reads its own tags from the group, so instances need no copy of them.
  own_tags = var.role == null ? {} : {
    "kubernetes.io/cluster/${var.cluster}" = { value = "owned", at_launch = true }
    "drover.dev/role"                      = { value = var.role, at_launch = false }
    # How long user data takes on an instance that is launched into the warm pool.
    "drover.dev/warm-pool-wait" = { value = "10m", at_launch = false }
  }
  autoscaler      = "k8s.io/cluster-autoscaler"
  autoscaler_tags = var.cluster_autoscaler ? { "${local.autoscaler}/enabled" = "true", "${local.autoscaler}/${var.cluster}" = "owned" } : {}
  # What nodes will have, for a group without nodes. It must be what the user data gives them.
  template_tags = {
    for id, group in local.groups : id => var.cluster_autoscaler ? merge(
      { for key, value in merge(group.labels, var.node_labels) : "${local.autoscaler}/node-template/label/${key}" => value },
      { for key, value in var.node_taints : "${local.autoscaler}/node-template/taint/${key}" => value },
    ) : {}
  }
  tags = {
    for id, group in local.groups : id => merge(
      local.own_tags,
      { for key, value in merge(local.autoscaler_tags, local.template_tags[id]) : key => { value = value, at_launch = false } },
      { Name = { value = group.name, at_launch = true } },
      var.tags,
    )
  }

  node_hooks = {
    "drover-node-joining" = { transition = "LAUNCHING", default_result = "CONTINUE" }
    "drover-node-leaving" = { transition = "TERMINATING", default_result = "CONTINUE" }
  }
  etcd_hooks = {
    "drover-etcd-launch" = { transition = "LAUNCHING", default_result = "ABANDON" }
    "drover-etcd"        = { transition = "TERMINATING", default_result = "CONTINUE" }
  }
  hooks = {
    worker = local.node_hooks
    # No hook on launches yet: Auto Scaling registers an instance with the load balancer only after such a hook, and the hook would wait for
    # the API server behind it. `drover hooks install --joining` adds it once there is an API server.
    control-plane = { for name, hook in local.node_hooks : name => hook if hook.transition == "TERMINATING" }
    # Drover completes the launches until there is an API server, and later waits for each node before the next member leaves.
    control-plane-with-etcd = merge(local.node_hooks, local.etcd_hooks)
    etcd                    = local.etcd_hooks
    none                    = {}
  }
}

# Before a module could have several groups, its group had no key: without this, an update would destroy it with its nodes.
moved {
  from = aws_autoscaling_group.this
  to   = aws_autoscaling_group.this["all"]
}

resource "aws_autoscaling_group" "this" {
  for_each = local.groups

  name                = each.value.name
  min_size            = var.min_size
  max_size            = var.max_size
  desired_capacity    = var.min_size
  vpc_zone_identifier = each.value.subnet_ids
  target_group_arns   = var.target_group_arns

  # Replaces an instance that EC2 is likely to interrupt once another one is in service. Only a hook can drain its node before.
  capacity_rebalance = var.spot && var.role != null
  # Interruptions leave the zones of Spot unbalanced, and Auto Scaling would terminate more nodes to balance them.
  suspended_processes = var.spot ? ["AZRebalance"] : []

  # Drover completes the launch hook once the node is Ready, which can take longer than Terraform waits.
  wait_for_capacity_timeout = "0"

  dynamic "launch_template" {
    for_each = var.spot ? [] : ["on-demand"]

    content {
      id      = aws_launch_template.this.id
      version = aws_launch_template.this.latest_version
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
          launch_template_id = aws_launch_template.this.id
          version            = aws_launch_template.this.latest_version
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

  # Stopped instances that have booted once. Without the second number a pool would grow to max_size.
  dynamic "warm_pool" {
    for_each = var.warm_pool_size > 0 ? [var.warm_pool_size] : []

    content {
      pool_state                  = "Stopped"
      min_size                    = warm_pool.value
      max_group_prepared_capacity = warm_pool.value
    }
  }

  # Made with the group, so that no instance comes or goes without them. Terraform ignores them afterwards: `drover hooks install`.
  dynamic "initial_lifecycle_hook" {
    for_each = local.hooks[var.etcd_beside ? "control-plane-with-etcd" : coalesce(var.role, "none")]

    content {
      name                 = initial_lifecycle_hook.key
      lifecycle_transition = "autoscaling:EC2_INSTANCE_${initial_lifecycle_hook.value.transition}"
      heartbeat_timeout    = 3600
      default_result       = initial_lifecycle_hook.value.default_result
    }
  }

  dynamic "tag" {
    for_each = local.tags[each.key]

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
    precondition {
      condition     = !var.etcd_beside || var.role == "control-plane"
      error_message = "etcd runs beside API servers: etcd_beside needs the role control-plane."
    }

    precondition {
      condition     = !(var.spot && var.warm_pool_size > 0)
      error_message = "Auto Scaling has no warm pools for Spot Instances: leave warm_pool_size at 0."
    }

    # Holds raise both for a while, and cluster-autoscaler and `drover scale` set the desired capacity.
    ignore_changes = [min_size, desired_capacity]
  }
}
