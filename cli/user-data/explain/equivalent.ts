import { isIP } from 'node:net';
import { quoted } from '../../../shared/base/shell-words.ts';
import { ownFlags } from '../nodes/flavour.ts';
import { isWord } from '../nodes/flavours/eks.ts';
import { labels, taints } from '../nodes/labels.ts';
import type { Join } from './reading.ts';

export interface Equivalent {
  readonly command: string;
  /** What the command leaves out, as the user data names it. */
  readonly left: readonly string[];
}

const flavourOf = { 'bootstrap.sh': 'eks-al2', nodeadm: 'eks-al2023', Bottlerocket: 'bottlerocket' } as const;

/**
 * The command for a user data that joins in the same way. Pasted with words for its placeholders it works: what its flavour refuses, or
 * what the script finds out only when it runs, is left out and named. Pure.
 */
export function equivalentOf(join: Join & { readonly by: keyof typeof flavourOf }): Equivalent {
  const dnsFlag = 'cluster-dns=';
  const all = lastOfEach(join.kubeletFlags);
  const flags = join.by === 'Bottlerocket' ? [] : all.filter((flag) => !flag.startsWith(dnsFlag));
  // The flag of the kubelet is after that of bootstrap.sh.
  const servers = all.find((flag) => flag.startsWith(dnsFlag))?.slice(dnsFlag.length) ?? join.clusterDns;
  const [known, unknown] = parted(flags, isFlag);
  const [good, bad] = parted(lastOfEach(join.labels), isLabel);
  const [right, wrong] = parted(lastOfEach(join.taints.map(withValue), /=[^:]*/), isTaint);
  const dns = [...new Set(servers?.split(','))].filter(Boolean);
  const maxPods = join.maxPods === undefined ? [] : [join.maxPods];
  const words = [
    ['--cluster', join.cluster?.includes('.') ? undefined : join.cluster, 'NAME'],
    ['--endpoint', join.endpoint, 'URL'],
    ['--certificate-authority', 'ca.crt'],
    ['--service-cidr', join.serviceCidr, 'CIDR'],
    ...(join.by === 'bootstrap.sh' ? [['--kubernetes-version', 'VERSION']] : []),
    ...dns.filter(isAddress).map((address) => ['--cluster-dns', address]),
    ...maxPods.filter(isCount).map((count) => ['--max-pods', count]),
    ...good.map((label) => ['--label', label]),
    ...right.map((taint) => ['--taint', taint]),
    ...known.map((flag) => ['--kubelet-flag', flag]),
  ];
  return {
    command: `drover user-data ${flavourOf[join.by]} ${words.map(([name = '', value, placeholder = '']) => `${name} ${shown(value, placeholder)}`).join(' ')}`,
    left: [
      ...dns.filter((address) => !isAddress(address)).map((address) => `cluster DNS ${address}`),
      ...maxPods.filter((count) => !isCount(count)).map((count) => `--max-pods ${count}`),
      ...bad.map((label) => `label ${label}`),
      ...wrong.map((taint) => `taint ${taint}`),
      ...unknown.map((flag) => `kubelet --${flag.split('=', 1)[0]}`),
      ...(join.others ?? []),
    ],
  };
}

function shown(value: string | undefined, placeholder: string): string {
  if (value === undefined || (placeholder !== '' && !isKnown(value))) return placeholder;
  return /^[\w@%+=:,./-]+$/.test(value) ? value : quoted(value);
}

/** Neither a variable or a substitution of the script, nor hidden. */
const isKnown = (value: string): boolean => !/[$`{}[\]<>]/.test(value);

const isAddress = (text: string): boolean => isIP(text) !== 0;

const isCount = (value: string): boolean => /^[1-9]\d{0,3}$/.test(value);

const isFlag = (flag: string): boolean => isWord(flag) && !ownFlags.has(flag.split('=', 1)[0] ?? '');

function isLabel(label: string): boolean {
  const [key = '', ...value] = label.split('=');
  return labels.safeParse([{ key, value: value.join('=') }]).success;
}

/** A kubelet takes `KEY:EFFECT` too. */
const withValue = (taint: string): string => (taint.includes('=') ? taint : taint.replace(/:(?=\w+$)/, '=:'));

function isTaint(taint: string): boolean {
  const [, key, value, effect] = /^([^=]*)=([^:]*):(\w*)$/.exec(taint) ?? [];
  return taints.safeParse([{ key, value, effect }]).success;
}

/** A Node has each label once, each taint once with its effect, and a kubelet each flag: the last one wins. */
const lastOfEach = (pairs: readonly string[], value = /=[\s\S]*/): readonly string[] => [
  ...new Map(pairs.map((pair) => [pair.replace(value, ''), pair])).values(),
];

const parted = (
  all: readonly string[],
  isGood: (one: string) => boolean,
): readonly [good: readonly string[], bad: readonly string[]] => [
  all.filter(isGood),
  all.filter((one) => !isGood(one)),
];
