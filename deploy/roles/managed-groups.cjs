/**
 * The IAM condition that a group carries this cluster's tag. A program, because the tag's key holds the cluster's name and
 * osls fills in variables in values only: a key it leaves as it is written, without a word.
 */
module.exports = async ({ resolveVariable }) => ({
  StringEquals: {
    [`aws:ResourceTag/kubernetes.io/cluster/${await resolveVariable('param:cluster')}`]: ['owned', 'shared'],
  },
});
