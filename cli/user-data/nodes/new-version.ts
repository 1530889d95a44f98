import type { EC2Client } from '@aws-sdk/client-ec2';
import { createVersion, latestVersion } from '../../../shared/aws/launch-templates.ts';
import type { CliContext } from '../../context.ts';
import { jsonText } from '../../json-text.ts';
import { changesOf, clientTokenOf, launchTemplateData } from './launch-template.ts';

interface Wanted {
  readonly nameOrId: string;
  readonly userData: Uint8Array;
  readonly flags: { readonly dryRun?: true; readonly json?: true };
  readonly stdout: CliContext['stdout'];
}

/** What `--new-version-of` did, as `--json` prints it. */
interface Outcome {
  readonly launchTemplate: string;
  /** The latest version when the command began. */
  readonly sourceVersion: number;
  /** The version with this user data; undefined if there is none, as with `--dry-run`. */
  readonly version?: number;
  readonly made: boolean;
  readonly changes: readonly string[];
}

/** Makes a version of a launch template with this user data, unless the latest one is as wanted, and prints what it did. */
export async function makeVersion(client: EC2Client, wanted: Wanted): Promise<void> {
  const outcome = await outcomeOf(client, wanted);
  wanted.stdout.write(wanted.flags.json ? jsonText(outcome) : textOf(outcome));
}

async function outcomeOf(client: EC2Client, { nameOrId, userData, flags }: Wanted): Promise<Outcome> {
  const latest = await latestVersion(client, nameOrId);
  const changes = changesOf(latest, userData);
  const read = { launchTemplate: nameOrId, sourceVersion: latest.number, made: false, changes };
  if (changes.length === 0) return { ...read, version: latest.number };
  if (flags.dryRun) return read;
  const data = launchTemplateData(userData, latest.otherMetadataOptions);
  const source = latest.number;
  const clientToken = clientTokenOf({ templateId: latest.templateId, source, data });
  const version = await createVersion(client, { nameOrId, source, data, clientToken });
  return { ...read, version, made: true };
}

function textOf({ launchTemplate, sourceVersion, version, made, changes }: Outcome): string {
  const line = (words: string): string => `${launchTemplate}: ${words}\n`;
  if (version === undefined)
    return line(`would make a version of version ${sourceVersion}: ${changes.join(', ')}`);
  if (!made) return line(`version ${version} is as wanted already`);
  return (
    line(`made version ${version} of version ${sourceVersion}: ${changes.join(', ')}`) +
    line(
      'groups with $Latest launch with it from now on; for others set their version, or the default version of the template',
    )
  );
}
