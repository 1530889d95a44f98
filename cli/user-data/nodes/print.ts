import { ec2Client } from '../../../shared/aws/clients.ts';
import { describePodAddresses } from '../../../shared/aws/pod-addresses.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { jsonText } from '../../json-text.ts';
import { bootScripts } from './boot-scripts.ts';
import { certificateAuthorityOf } from './certificate-authority.ts';
import { type NodeFlags, settingsOf } from './flags.ts';
import { problemsOf } from './flavour.ts';
import { flavourFor } from './flavours.ts';
import { launchTemplateOf } from './launch-template.ts';
import { maxPodsOf, withoutIpv6 } from './max-pods.ts';
import type { FlavourName } from './names.ts';
import { makeVersion } from './new-version.ts';
import { packed } from './packed.ts';
import type { NodeSettings } from './settings.ts';
import { checkStored } from './stored.ts';
import { uselessFlags } from './useless-flags.ts';

/** Prints user data, or a launch template with it, or makes a new version of one. Nothing is printed before everything is checked. */
export async function printNodeUserData(
  name: FlavourName,
  flags: NodeFlags,
  context: CliContext,
): Promise<void> {
  const settings = await checkedSettings(name, flags, context);
  const flavour = flavourFor(name, settings);
  const names = flavour.parameters(settings);
  if (names.length > 0 && flags.check)
    await checkStored(names, { name, flags, connection: connectionOf(flags, context) });
  for (const warning of flavour.warnings?.(settings) ?? []) context.stderr.write(`drover: ${warning}\n`);
  const bytes = packed(flavour.render(settings, await bootScripts()), flavour, flags.gzip === true);
  if (flags.newVersionOf !== undefined)
    return await makeVersion(ec2Client(connectionOf(flags, context)), {
      nameOrId: flags.newVersionOf,
      userData: bytes,
      flags,
      stdout: context.stdout,
    });
  if (flags.launchTemplate !== undefined) {
    const format = flags.launchTemplate === true ? 'aws' : flags.launchTemplate;
    context.stdout.write(jsonText(launchTemplateOf(format, bytes)));
    return;
  }
  const text = Buffer.from(bytes);
  context.stdout.write(flags.gzip ? `${text.toString('base64')}\n` : text.toString('utf8'));
}

async function checkedSettings(
  name: FlavourName,
  flags: NodeFlags,
  context: CliContext,
): Promise<NodeSettings> {
  const certificateAuthority = await certificateAuthorityOf(flags.certificateAuthority, context.readFile);
  const settings = settingsOf(
    name,
    { ...flags, ...(certificateAuthority !== undefined && { certificateAuthority }) },
    context.environment,
  );
  const flavour = flavourFor(name, settings);
  const types = flags.instanceType ?? [];
  // What it is does not matter to whether it may be given.
  const problems = [
    ...problemsOf(flavour, types.length > 0 ? { ...settings, maxPods: 1 } : settings),
    ...uselessFlags(flags, { settings, parameters: flavour.parameters(settings) }),
  ];
  if (problems.length > 0)
    throw new CliError(
      `no user data of ${name} is made of these flags:\n${problems.join('\n')}`,
      exitCodes.usage,
    );
  if (types.length === 0) return settings;
  const addresses = await describePodAddresses(ec2Client(connectionOf(flags, context)), types);
  const unfit = settings.serviceCidr?.includes(':') ? withoutIpv6(addresses) : [];
  if (unfit.length > 0)
    throw new CliError(
      `--instance-type ${unfit.join(',')} is refused with IPv6 services: the VPC CNI gives IPv6 addresses by prefixes, which EC2 assigns only to types on Nitro and to bare metal`,
      exitCodes.usage,
    );
  return { ...settings, maxPods: maxPodsOf(addresses, flags.prefixDelegation === true) };
}

const connectionOf = (flags: NodeFlags, context: CliContext) =>
  awsConnection(hostOf(context, environmentOf(flags, context)));
