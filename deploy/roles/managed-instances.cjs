const managedGroups = require('./managed-groups.cjs');

/** The IAM condition that an instance belongs to an Auto Scaling group and has this cluster's tag, which its group propagates at launch. */
module.exports = async (context) => ({
  ...(await managedGroups(context)),
  StringLike: {
    'aws:ResourceTag/aws:autoscaling:groupName': await context.resolveVariable('param:groupNamePattern'),
  },
});
