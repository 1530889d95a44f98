import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { named, sentence, type TableView, viewOf } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { type Files, readFiles, writeFiles } from './folder.ts';
import {
  createAuthority,
  credentialOf,
  type Issuer,
  issueLeaf,
  readAuthority,
  type Validity,
} from './issue.ts';
import { createKeyPair, privateKeyPem, publicKeyPem } from './key-pair.ts';
import type { KeyType } from './key-types.ts';
import { type AuthorityPath, authorities, filesOf, type PkiNames, serviceAccountPath } from './layout.ts';
import { namesMadeFor, type PkiPlan, planPki } from './plan.ts';
import { whyUnusable } from './usable.ts';

export interface MakeFlags {
  readonly domain?: string;
  readonly names?: readonly string[];
  readonly out: string;
  readonly days: number;
  readonly clientDays: number;
  readonly caDays: number;
  readonly keyType: KeyType;
  readonly renew?: true;
  readonly only?: readonly string[];
  readonly dryRun?: true;
}

type Making = Extract<PkiPlan, { kind: 'make' }>;

const dayMilliseconds = 86_400_000;
/** Clocks of machines that have just booted are behind. */
const headStartMilliseconds = 300_000;

/** Makes or renews the certificates of a cluster in a folder, and reports what it wrote. */
export async function makePki(flags: MakeFlags, context: CliContext): Promise<void> {
  const { out, renew = false, only = [] } = flags;
  if (only.length > 0 && !renew) throw new CliError('--only needs --renew', exitCodes.usage);
  const all = filesOf({ domain: 'any.example', apiServerNames: [] });
  const present = await readFiles(out, all);
  const plan = planPki({ present, names: namesFor(flags, present), renew, only });
  if (plan.kind === 'refuse')
    throw new CliError(`nothing was written to ${out}: ${plan.reason}`, exitCodes.failed);
  const now = context.clock.now();
  const input = { flags, present, now };
  const issuers = plan.makesAuthorities ? undefined : await readAuthorities(plan, input);
  const files = flags.dryRun ? undefined : await filesFor(plan, issuers, input);
  if (files) await writeFiles(out, files);
  context.stdout.write(summaryOf(plan, { flags, count: files?.size, view: viewOf(context.stdout) }));
}

/** A renewal keeps the existing names unless others are given. */
function namesFor({ domain, names, renew }: MakeFlags, present: Files): PkiNames {
  const before = renew ? namesMadeFor(present) : {};
  const wanted = domain ?? before.domain;
  if (wanted === undefined)
    throw new CliError(
      '--domain is missing: the domain in which etcd discovers its members',
      exitCodes.usage,
    );
  return { domain: wanted, apiServerNames: names ?? before.apiServerNames ?? [] };
}

interface MakeInput {
  readonly flags: MakeFlags;
  readonly present: Files;
  readonly now: number;
}

type Issuers = ReadonlyMap<AuthorityPath, Issuer>;

async function filesFor(plan: Making, present: Issuers | undefined, input: MakeInput): Promise<Files> {
  const { flags, now } = input;
  const issuers = present ?? (await makeAuthorities(input));
  const made = await Promise.all([
    ...(plan.makesAuthorities
      ? [...issuers].map(async ([path, issuer]) => pairOf(path, await credentialOf(issuer)))
      : []),
    ...(plan.makesServiceAccountKey ? [serviceAccountFiles(flags.keyType)] : []),
    ...plan.leaves.map(async (leaf) => {
      const validity = validityOf(
        now,
        leaf.life === 'short' ? Math.min(flags.clientDays, flags.days) : flags.days,
      );
      const issuer = issuers.get(leaf.issuer);
      if (!issuer) throw new Error(`no authority ${leaf.issuer}`);
      return pairOf(leaf.path, await issueLeaf(issuer, { leaf, keyType: flags.keyType, validity }));
    }),
  ]);
  return new Map(made.flat());
}

const pairOf = (
  path: string,
  { certificate, key }: { readonly certificate: string; readonly key: string },
) => [[`${path}.crt`, certificate] as const, [`${path}.key`, key] as const];

async function serviceAccountFiles(keyType: KeyType) {
  const keys = await createKeyPair(keyType);
  return [
    [`${serviceAccountPath}.key`, await privateKeyPem(keys)] as const,
    [`${serviceAccountPath}.pub`, await publicKeyPem(keys)] as const,
  ];
}

const validityOf = (now: number, days: number): Validity => ({
  notBefore: now - headStartMilliseconds,
  notAfter: now + days * dayMilliseconds,
});

async function makeAuthorities({ flags, now }: MakeInput): Promise<Issuers> {
  const validity = validityOf(now, flags.caDays);
  const made = authorities.map(
    async (authority) =>
      [authority.path, await createAuthority({ authority, keyType: flags.keyType, validity })] as const,
  );
  return new Map(await Promise.all(made));
}

async function readAuthorities(plan: Making, { present, now }: MakeInput): Promise<Issuers> {
  const paths = [...new Set(plan.leaves.map(({ issuer }) => issuer))];
  const read = paths.map(async (path) => {
    const credential = {
      certificate: present.get(`${path}.crt`) ?? '',
      key: present.get(`${path}.key`) ?? '',
    };
    const reason = whyUnusable(credential, now);
    if (reason !== undefined) throw new CliError(`${path} cannot sign: ${reason}`, exitCodes.failed);
    return [path, await readAuthority(credential)] as const;
  });
  return new Map(await Promise.all(read));
}

const head = [named('FILE'), named('NAME'), sentence('MADE OUT FOR'), 'DAYS'];

function summaryOf(
  plan: Making,
  {
    flags,
    count,
    view,
  }: {
    readonly flags: MakeFlags;
    readonly count: number | undefined;
    readonly view: TableView;
  },
): string {
  const rows = [
    ...(plan.makesAuthorities
      ? authorities.map(({ path, commonName }) => [`${path}.crt`, commonName, '', String(flags.caDays)])
      : []),
    ...plan.leaves.map((leaf) => [
      `${leaf.path}.crt`,
      leaf.commonName,
      leaf.names.join(','),
      String(leaf.life === 'short' ? Math.min(flags.clientDays, flags.days) : flags.days),
    ]),
    ...(plan.makesServiceAccountKey ? [[`${serviceAccountPath}.key`, 'service accounts', '', '']] : []),
  ];
  const end =
    count === undefined
      ? `would be written to ${flags.out}`
      : `${counted(count, 'file')} written to ${flags.out}`;
  return `${tableText(head, rows, view)}${end}\n`;
}
