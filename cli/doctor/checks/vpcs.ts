import { DescribeSubnetsCommand, paginateDescribeVpcs, type Vpc } from '@aws-sdk/client-ec2';
import { type Cidr, overlaps, parseCidr } from '../../../shared/net/cidr.ts';
import { checkOf, type Finding } from '../check.ts';
import { describedGroups } from '../described-groups.ts';
import type { DoctorContext } from '../doctor-context.ts';

interface ObservedVpcs {
  readonly region: string;
  /** The parameter `nodeVpcId`; empty by default. */
  readonly nodeVpcId: string;
  /** The VPCs of the subnets of the managed groups. */
  readonly nodeVpcIds: readonly string[];
  /** Every VPC of the region that the account can see. Empty if `nodeVpcId` is set. */
  readonly vpcs: readonly { readonly vpcId: string; readonly cidrs: readonly Cidr[] }[];
}

/** Whether another VPC has the addresses of the nodes: then a private DNS name, which has an address, may exist twice. */
export const vpcs = checkOf({ name: 'vpcs', read, judge: judgeVpcs });

async function read(context: DoctorContext): Promise<ObservedVpcs> {
  const { ec2, region, nodeVpcId } = context;
  if (nodeVpcId !== '') return { region, nodeVpcId, nodeVpcIds: [nodeVpcId], vpcs: [] };
  const groups = await describedGroups(context);
  const SubnetIds = [
    ...new Set(groups.flatMap(({ VPCZoneIdentifier = '' }) => VPCZoneIdentifier.split(',').filter(Boolean))),
  ];
  if (SubnetIds.length === 0) return { region, nodeVpcId, nodeVpcIds: [], vpcs: [] };
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds }));
  const found: Vpc[] = [];
  for await (const { Vpcs = [] } of paginateDescribeVpcs({ client: ec2 }, {})) found.push(...Vpcs);
  return {
    region,
    nodeVpcId,
    nodeVpcIds: [...new Set(Subnets.flatMap(({ VpcId }) => VpcId ?? []))].sort(),
    vpcs: found.map((vpc) => ({ vpcId: vpc.VpcId ?? '', cidrs: cidrsOf(vpc) })),
  };
}

/** The primary block, and those that were added. */
const cidrsOf = ({ CidrBlock, CidrBlockAssociationSet = [] }: Vpc): readonly Cidr[] =>
  [
    ...new Set([
      ...(CidrBlock ? [CidrBlock] : []),
      ...CidrBlockAssociationSet.filter(
        ({ CidrBlockState }) => CidrBlockState?.State !== 'disassociated',
      ).flatMap((association) => association.CidrBlock ?? []),
    ]),
  ].map(parseCidr);

/** Pure. */
export function judgeVpcs({ region, nodeVpcId, nodeVpcIds, vpcs: all }: ObservedVpcs): readonly Finding[] {
  if (nodeVpcId !== '')
    return [
      {
        verdict: 'ok',
        subject: nodeVpcId,
        message: 'only its instances get certificates, and only they log in as nodes by IAM',
      },
    ];
  if (nodeVpcIds.length === 0)
    return [{ verdict: 'ok', subject: region, message: 'no managed group names its subnets' }];
  return nodeVpcIds.map((subject) => {
    const own = all.find(({ vpcId }) => vpcId === subject)?.cidrs ?? [];
    const same = all
      .filter(
        ({ vpcId, cidrs }) => vpcId !== subject && own.some((one) => cidrs.some((two) => overlaps(one, two))),
      )
      .map(({ vpcId }) => vpcId)
      .sort();
    if (same.length === 0) return { verdict: 'ok', subject, message: 'no other VPC has its addresses' };
    const danger = `${same.join(', ')} ${same.length === 1 ? 'has' : 'have'} some of its addresses, so an instance there may have the private DNS name of a node, and the node's certificate request may wait for an operator`;
    const remedy =
      nodeVpcIds.length === 1
        ? `set nodeVpcId: ${subject} in the file of the stage, and DROVER_NODE_VPC_ID here`
        : 'nodes are in several VPCs, and nodeVpcId names only one: name nodes by their instance ids';
    return { verdict: 'advice', subject, message: `${danger}: ${remedy}` };
  });
}
