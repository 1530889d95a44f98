/** What CloudFormation refuses before it changes anything: parameters that need others, as deploy/parameters.cjs refuses them. */
const is = (name: string, value: string) => ({ 'Fn::Equals': [{ Ref: name }, value] });
const isNot = (name: string, value: string) => ({ 'Fn::Not': [is(name, value)] });

const needs = (reason: string, names: readonly string[]) =>
  names.map((name) => ({
    Assert: isNot(name, ''),
    AssertDescription: `${name} is missing: ${reason} needs it`,
  }));

export const rules = {
  PrivateNetwork: {
    RuleCondition: is('Network', 'private'),
    Assertions: needs('Network=private', ['VpcId', 'SubnetA', 'SubnetB']),
  },
  Etcd: { RuleCondition: isNot('EtcdDomain', ''), Assertions: needs('EtcdDomain', ['EtcdZoneId']) },
  EtcdMembers: {
    RuleCondition: { 'Fn::And': [isNot('EtcdDomain', ''), is('EtcdMode', 'members')] },
    Assertions: needs('EtcdMode=members', ['EtcdSnapshotBucket']),
  },
};
