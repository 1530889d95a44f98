/**
 * The IAM condition that a group has this cluster's tag. It is a program because the tag's key contains the cluster's name, and osls
 * resolves variables only in values, not in keys.
 */
module.exports = async ({ resolveVariable }) => ({
  StringEquals: {
    [`aws:ResourceTag/kubernetes.io/cluster/${await resolveVariable('param:cluster')}`]: ['owned', 'shared'],
  },
});
