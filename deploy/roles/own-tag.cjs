const managedGroups = require('./managed-groups.cjs');

/** The IAM condition that a call writes only Drover's own tag, and on a group with this cluster's tag: other tags decide which groups are managed, and how. */
module.exports = async (context) => ({
  ...(await managedGroups(context)),
  'ForAllValues:StringEquals': { 'aws:TagKeys': ['drover.dev/etcd-status'] },
  // ForAllValues by itself is true for a call without keys.
  Null: { 'aws:TagKeys': 'false' },
});
