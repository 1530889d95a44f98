variable "name" {
  description = "Of the launch template and the group. Groups of one zone have the zone as a suffix"
  type        = string
}

variable "cluster" {
  description = "The cluster of the tag kubernetes.io/cluster/NAME"
  type        = string
}

variable "role" {
  description = "worker, control-plane or etcd: decides the hooks. Defaults to null: Drover does not manage the group"
  type        = string
  default     = null
}

variable "etcd_beside" {
  description = "Of the role control-plane: a member of etcd is on each instance, which adds the hooks of etcd"
  type        = bool
  default     = false
}

variable "image_id" {
  type = string
}

variable "instance_types" {
  description = "The first one is the type of the group. A Spot group takes all: give several with as many CPUs and as much memory as the first"
  type        = list(string)

  validation {
    condition     = length(var.instance_types) > 0
    error_message = "Give at least one type."
  }
}

variable "spot" {
  description = "Only Spot Instances, of the types of which EC2 has most capacity"
  type        = bool
  default     = false
}

variable "instance_profile_arn" {
  type = string
}

variable "user_data" {
  description = "What `drover user-data` printed, in base64"
  type        = string
}

variable "subnet_ids" {
  type = list(string)
}

variable "one_group_per_zone" {
  description = "For nodes whose pods have volumes: a group for each subnet, of which each must be in another zone"
  type        = bool
  default     = false
}

variable "security_group_ids" {
  type = list(string)
}

variable "target_group_arns" {
  type    = list(string)
  default = []
}

variable "min_size" {
  description = "The least number of instances when the group is made, in each group; Drover and you change it afterwards"
  type        = number
}

variable "max_size" {
  type = number
}

variable "tags" {
  description = "More tags of the group: NAME = { value, at_launch }"
  type        = map(object({ value = string, at_launch = bool }))
  default     = {}
}

variable "cluster_autoscaler" {
  description = "Whether cluster-autoscaler finds the group"
  type        = bool
  default     = false
}

variable "node_labels" {
  description = "The labels that the user data gives its nodes: cluster-autoscaler predicts them for a group without nodes"
  type        = map(string)
  default     = {}
}

variable "node_taints" {
  description = "The taints that the user data gives its nodes: KEY = VALUE:EFFECT"
  type        = map(string)
  default     = {}
}

variable "warm_pool_size" {
  description = "Instances in the warm pool of each group. Leave it at 0, no pool, until there is user data"
  type        = number
  default     = 0
}
