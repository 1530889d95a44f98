const domainOf = (region: string): string =>
  region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;

/** The IP name of an address: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/hostname-types.html */
export const dnsNameOfAddress = (region: string, address: string): string =>
  `ip-${address.replaceAll('.', '-')}.${domainOf(region)}`;

/** The name of an instance, by its address or by its id. */
export const privateDnsName = (
  region: string,
  name: { hostnameType: 'ip-name' | 'resource-name'; instanceId: string; privateIpAddress: string },
): string =>
  name.hostnameType === 'resource-name'
    ? `${name.instanceId}.${domainOf(region)}`
    : dnsNameOfAddress(region, name.privateIpAddress);
