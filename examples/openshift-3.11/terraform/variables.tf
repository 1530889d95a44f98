variable "region" {
  type = string
}

variable "cluster" {
  description = "The cluster of the tag kubernetes.io/cluster/NAME"
  type        = string
}

variable "subnet_ids" {
  description = "Private subnets, one in each of three zones"
  type        = list(string)
}

variable "node_security_group_ids" {
  description = "Those that openshift-ansible made for nodes"
  type        = list(string)
}

variable "image_id" {
  description = "The primed image of openshift-ansible 3.11"
  type        = string
}

variable "nodes_key_arn" {
  description = "The KMS key of the parameters"
  type        = string
}

variable "compute_size" {
  description = "In each zone. Zero at first"
  type        = number
  default     = 0
}

variable "infra_size" {
  description = "In each zone. Zero at first"
  type        = number
  default     = 0
}

variable "spot_size" {
  description = "Zero at first"
  type        = number
  default     = 0
}

variable "managed" {
  description = "Whether a deployed Drover drains the nodes and holds launches"
  type        = bool
  default     = false
}
