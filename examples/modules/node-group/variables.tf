variable "name" {
  description = "Of the group and its launch template"
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

variable "image_id" {
  type = string
}

variable "instance_type" {
  type = string
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

variable "security_group_ids" {
  type = list(string)
}

variable "target_group_arns" {
  type    = list(string)
  default = []
}

variable "min_size" {
  description = "The least number of instances when the group is made; Drover and you change it afterwards"
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
