import { type Command, InvalidArgumentError, Option } from 'commander';
import { withNodeAccessFlags } from '../access/flags.ts';
import { durationSeconds, durationWithUnit } from '../durations.ts';
import type { RollAccessFlags } from './access-flags.ts';

/** The flags of `drover roll` as commander hands them over. */
export interface BeginFlags extends RollAccessFlags {
  readonly all?: true;
  readonly changed?: true;
  readonly everything?: true;
  /** Seconds. */
  readonly olderThan?: number;
  readonly below?: string;
  readonly instance?: readonly string[];
  readonly name?: string;
  readonly surge?: number;
  readonly maxUnavailable?: number;
  readonly canary?: number;
  /** Seconds. */
  readonly bake?: number;
  readonly stopOn?: readonly string[];
  readonly window?: string;
  /** Seconds. */
  readonly annotationTimeout?: number;
  readonly skipBlocked?: true;
  /** The three of managed node groups of EKS. */
  readonly releaseVersion?: string;
  readonly templateVersion?: string;
  readonly force?: true;
  readonly dryRun?: true;
  readonly wait?: true;
  /** Seconds; 0 for no timeout. */
  readonly timeout: number;
  readonly json?: true;
}

/** Adds the flags of `drover roll`. */
export const withBeginFlags = (command: Command): Command =>
  withNodeAccessFlags(command)
    .option('--all', 'all managed groups: etcd first, then the control plane, then workers')
    .option(
      '--changed',
      'replace nodes of another launch template, version or image than their group would launch now; the default',
    )
    .option('--older-than <duration>', 'replace nodes that were launched so long ago, such as 30d', age)
    .option('--below <version>', 'replace nodes whose kubelet is older than this version', kubeletVersion)
    .option('--instance <id>', 'replace this instance; may be given several times', instanceIds)
    .option('--everything', 'replace every node that was launched before the roll')
    .option('--name <name>', 'the name of the roll; default: the name of the group, or all')
    .option(
      '--surge <number>',
      'how many replacements of a group are launched at once, before what they replace is drained; default: 1',
      between(1),
    )
    .option(
      '--max-unavailable <number>',
      'how many nodes of a group are drained without waiting for their replacements; default: 0',
      between(0),
    )
    .option(
      '--canary <number>',
      'how many new nodes of a group carry pods before the others are replaced; default: 1',
      between(0),
    )
    .option('--bake <duration>', 'how long they carry pods; default: 5m', durationSeconds)
    .option(
      '--stop-on <alarm>',
      'a CloudWatch alarm that stops the roll; may be given several times',
      several,
    )
    .option('--window <times>', 'replace nodes only then, such as "Mon-Fri 09:00-16:00 Europe/Berlin"')
    .option(
      '--annotation-timeout <duration>',
      'how long annotations of pods against disruption count; default: 24h',
      durationSeconds,
    )
    .option('--skip-blocked', 'leave nodes whose pods cannot move to the end')
    .option(
      '--release-version <version>',
      'EKS node groups: the release of the image, such as 1.34.2-20261101',
    )
    .option(
      '--template-version <number>',
      'EKS node groups: the version of the launch template',
      templateVersion,
    )
    .option('--force', 'EKS node groups: terminate a node that could not be drained within 15 minutes')
    .option('--dry-run', 'show what would hold the roll, and replace nothing')
    .option('--wait', 'show the progress until the roll has ended')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait; 0: without end')
        .argParser(durationSeconds)
        .default(0, 'without end'),
    )
    .option('--json', 'print JSON: one object, or one on a line with --wait');

const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const age = (text: string): number => durationWithUnit(text, { minimum: 60 });

/** @throws InvalidArgumentError for anything but two or three numbers. */
function kubeletVersion(text: string): string {
  const version = /^v?(\d{1,3}\.\d{1,3}(?:\.\d{1,3})?)$/.exec(text)?.[1];
  if (version === undefined) throw new InvalidArgumentError('write a version such as 1.34.2');
  return version;
}

/** @throws InvalidArgumentError for anything but the id of an instance. */
function instanceIds(text: string, before?: readonly string[]): readonly string[] {
  if (!/^i-[0-9a-f]{8,17}$/.test(text))
    throw new InvalidArgumentError('write the id of an instance, such as i-0123456789abcdef0');
  return several(text, before);
}

/** @throws InvalidArgumentError for anything but a number. EKS takes it as text. */
function templateVersion(text: string): string {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('write the number of a version, such as 7');
  return text;
}

const between =
  (least: number) =>
  (text: string): number => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : -1;
    if (number < least || number > 1000)
      throw new InvalidArgumentError(`write a whole number from ${least} to 1000`);
    return number;
  };
