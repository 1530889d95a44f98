const managedGroups = require('./managed-groups.cjs');

/** The IAM condition that a group has this cluster's tag, and the tag with which it asks for repair, whatever that says. */
module.exports = async (context) => ({
  ...(await managedGroups(context)),
  StringLike: { 'aws:ResourceTag/drover.dev/repair': '*' },
});
