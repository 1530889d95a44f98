const managedGroups = require('./managed-groups.cjs');

/** The IAM condition that a group has this cluster's tag, and the tag with which it asks for repair. */
module.exports = async (context) => ({
  ...(await managedGroups(context)),
  Null: { 'aws:ResourceTag/drover.dev/repair': 'false' },
});
