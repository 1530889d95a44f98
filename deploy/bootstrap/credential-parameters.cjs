/**
 * The parameters that bootstrap-credential writes, as ARNs: for each role what is published, and the ledger of the tokens beside it. It
 * is a program because osls cannot make a list of a parameter.
 */
const arnOf = (parameterName) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${parameterName}`,
});

module.exports = async ({ resolveVariable }) => {
  const published = await resolveVariable('self:custom.bootstrapParameter');
  const roles = await resolveVariable('param:bootstrapRoles');
  return roles
    .split(',')
    .map((role) => (role === 'worker' ? published : `${published}-${role}`))
    .flatMap((name) => [arnOf(name), arnOf(`${name}-tokens`)]);
};
