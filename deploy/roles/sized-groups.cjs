const managedGroups = require('./managed-groups.cjs');

/**
 * The IAM condition of UpdateAutoScalingGroup: on a managed group, and only its sizes. A launch template decides what runs with the instance
 * profile of nodes. Auto Scaling has no key for the template itself, but a caller who names one also needs ec2:RunInstances, which no role of
 * Drover has (EC2 Auto Scaling user guide, "Control Amazon EC2 launch template usage"). AWS does not document whether
 * LaunchTemplateVersionSpecified is absent or false in a call without a template, so both are accepted. MaxSize is in the calls for holds and
 * requests with raiseMaxSize, and when they end.
 */
module.exports = async (context) => ({
  ...(await managedGroups(context)),
  Null: {
    'autoscaling:LaunchConfigurationName': 'true',
    'autoscaling:InstanceTypes': 'true',
    'autoscaling:VPCZoneIdentifiers': 'true',
  },
  BoolIfExists: { 'autoscaling:LaunchTemplateVersionSpecified': 'false' },
  NumericLessThanEqualsIfExists: {
    'autoscaling:MaxSize': String(await context.resolveVariable('param:maxSizeLimit')),
  },
});
