variable "cluster_name" {
  description = "The cluster of the tag kubernetes.io/cluster/NAME, as Drover was deployed for it (its parameter `cluster`)."
  type        = string
}

variable "name" {
  description = "The name of the group."
  type        = string
  default     = "workers"
}

variable "subnet_ids" {
  description = "The subnet of one zone, for pods with volumes. Subnets of several zones only for Spot or pods without volumes."
  type        = list(string)
}

variable "security_group_ids" {
  description = "The security groups of the nodes."
  type        = list(string)
}

variable "image_id" {
  description = "The image of the nodes."
  type        = string
}

variable "instance_profile_arn" {
  description = "The instance profile of the nodes."
  type        = string
}

variable "instance_types" {
  description = "The first one is the type of the nodes. Spot takes all: give several with as many CPUs and as much memory as the first."
  type        = list(string)
  default     = ["m7g.large"]
}

variable "spot" {
  description = "Only Spot Instances, of the types of which EC2 has most capacity."
  type        = bool
  default     = false
}

variable "user_data" {
  description = "What makes an instance join the cluster, in base64."
  type        = string
  sensitive   = true
}

variable "min_size" {
  description = "At least so many nodes."
  type        = number
  default     = 2
}

variable "max_size" {
  description = "At most so many nodes."
  type        = number
  default     = 10
}

variable "drain_timeout" {
  description = "From the notice to the moment when the last pod must be gone."
  type        = string
  default     = "30m"

  validation {
    condition     = can(regex("^[1-9][0-9]{0,6}[smhd]?$", var.drain_timeout))
    error_message = "Write a duration from 30s to 2d, such as 900, 15m or 2h."
  }
}
