/**
 * The egress rules of the functions' security groups. Two equal rules would be one rule in EC2, and CloudFormation would delete it with
 * either of them: an API server on 443 anywhere is reached by the rule for AWS.
 */
const allow = (Description, port, CidrIp) => ({
  Description,
  IpProtocol: 'tcp',
  FromPort: Number(port),
  ToPort: Number(port),
  CidrIp,
});

const rules = (Description, port, cidr) => {
  const aws = allow('AWS endpoints', 443, '0.0.0.0/0');
  const own = allow(Description, port, cidr);
  return own.FromPort === aws.FromPort && own.CidrIp === aws.CidrIp ? [aws] : [aws, own];
};

module.exports = {
  toApiServer: async ({ resolveVariable }) =>
    rules(
      'the API server',
      await resolveVariable('param:apiServerPort'),
      await resolveVariable('param:apiServerCidr'),
    ),
  toEtcd: async ({ resolveVariable }) => rules('etcd', 2379, await resolveVariable('param:etcdCidr')),
};
