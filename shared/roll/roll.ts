import * as z from 'zod/mini';
import { describeIssues } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';

/**
 * Which instances a roll replaces, of those that were launched before it began:
 * - `changed`: those of another launch template, version or image than their group would launch when the roll began;
 * - `older-than`: those that were launched more than so many seconds before the roll began;
 * - `below`: those whose kubelet is of an earlier version, such as `1.34.2`;
 * - `named`: these instances;
 * - `all`: each.
 */
export type Criterion =
  | { readonly kind: 'changed' | 'all' }
  | { readonly kind: 'older-than'; readonly seconds: number }
  | { readonly kind: 'below'; readonly kubeletVersion: string }
  | { readonly kind: 'named'; readonly instanceIds: readonly string[] };

/** What a launch template launches: its id, the number that its version had, and the image, which may be of a parameter (`resolve:ssm:`). */
export interface LaunchedFrom {
  readonly templateId: string;
  readonly version: number;
  /** `ami-…` */
  readonly imageId: string;
}

/** What a group launches. With a mixed instances policy, its overrides may have templates of their own. */
export interface LaunchTarget {
  readonly main: LaunchedFrom;
  readonly overrides?: readonly LaunchedFrom[];
  /** Changes with anything in the overrides of the mixed instances policy; undefined without any. */
  readonly policyDigest?: string;
}

/** A group of a roll, and what it launched when the roll began. */
export interface RollGroup {
  readonly autoScalingGroupName: string;
  /** Undefined if the criterion does not depend on it and it could not be read. */
  readonly target?: LaunchTarget;
}

export interface RollBounds {
  /** How many replacements of a group may be launched at once, before the instances that they replace are drained. */
  readonly surge: number;
  /** How many nodes of a group may be drained without waiting for their replacements. */
  readonly maxUnavailable: number;
  /** How many new nodes of each group carry pods for `bakeSeconds` before the others are replaced. */
  readonly canary: number;
  /** Counted from the first evicted pods that are Ready on the canary. */
  readonly bakeSeconds: number;
  /** CloudWatch alarms: one that is in alarm stops the roll. */
  readonly stopOn: readonly string[];
  /** When the roll may begin to replace an instance, such as `Mon-Fri 09:00-16:00 Europe/Berlin`; undefined for a roll without a window. */
  readonly window?: string;
  /** For how long annotations of pods that ask not to be disrupted are honoured. */
  readonly annotationTimeoutSeconds: number;
}

/** What people ask: the parameter `/drover/<cluster>/rolls/<name>/ask`. Only commands and the scale API write it. */
export interface Roll extends RollBounds {
  readonly name: string;
  readonly groups: readonly RollGroup[];
  readonly criterion: Criterion;
  /** Epoch milliseconds. No instance that was launched later is replaced. */
  readonly startedAt: number;
  readonly wanted: 'run' | 'paused' | 'aborted';
  /** When people asked a stopped roll to continue, in epoch milliseconds: what stopped it before that does not stop it again. */
  readonly resumedAt?: number;
  /** Nodes whose pods cannot move are left to the end, instead of not beginning. */
  readonly skipBlocked: boolean;
  /** The user who began it. */
  readonly by?: string;
  /** What began it may not read pods, as the scale API: the first pass looks whether all of them can move, before it changes anything. */
  readonly podsUnchecked?: boolean;
}

export const defaultBounds: RollBounds = {
  surge: 1,
  maxUnavailable: 0,
  canary: 1,
  bakeSeconds: 300,
  stopOn: [],
  annotationTimeoutSeconds: 86_400,
};

/** What the pass has decided and cannot derive: the parameter `/drover/<cluster>/rolls/<name>/seen`. Only the pass writes it. */
export interface RollSeen {
  /** Of the roll that it is about: a roll of the same name that began later has none. Epoch milliseconds. */
  readonly startedAt: number;
  readonly state: 'running' | 'paused' | 'stopped' | 'done' | 'aborted';
  readonly reason: string;
  /** When the state began, in epoch milliseconds. */
  readonly since: number;
  /** The notifications that were sent, such as `roll-began`. */
  readonly told: readonly string[];
  /** Whether a pass has made up for `podsUnchecked`, and has found no pod that cannot move. */
  readonly podsChecked?: boolean;
  /** When a pass last had no answer of the API server, in epoch milliseconds: no node could join then. */
  readonly unreadableUntil?: number;
}

/** How long `seen` and `ask` of a roll that has ended are kept, so that people find out how it ended. */
export const keptAfterEndSeconds = 7 * 86_400;

export interface RollPaths {
  /** `/drover/<cluster>/rolls` */
  readonly rolls: string;
}

export const rollPathsOf = (clusterName: string): RollPaths => ({ rolls: `/drover/${clusterName}/rolls` });

export const askParameterOf = ({ rolls }: RollPaths, name: string): string => `${rolls}/${name}/ask`;

export const seenParameterOf = ({ rolls }: RollPaths, name: string): string => `${rolls}/${name}/seen`;

/** The name of a roll is one segment of the parameter's name, and the value of a taint, which has the form of a label's. */
export const rollNamePattern = /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/;

/** Parameter Store has 4 KB for a standard parameter. */
export const mostRollBytes = 4096;

const count = (least: number) => z.int().check(z.minimum(least), z.maximum(1000));
const seconds = () => z.int().check(z.minimum(0), z.maximum(366 * 86_400));
const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));

const launchedFrom = () =>
  z.object({
    templateId: z.string().check(z.regex(/^lt-[0-9a-f]{8,17}$/)),
    version: z.int().check(z.minimum(1)),
    imageId: text(64),
  });

const criterion = () =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('changed') }),
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('older-than'), seconds: seconds() }),
    z.object({
      kind: z.literal('below'),
      kubeletVersion: z.string().check(z.regex(/^\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/)),
    }),
    z.object({
      kind: z.literal('named'),
      instanceIds: z.array(z.string().check(z.regex(/^i-[0-9a-f]{8,17}$/))).check(z.minLength(1)),
    }),
  ]);

const askSchema = lazily(() =>
  z.object({
    version: z.literal(1),
    groups: z
      .array(
        z.object({
          autoScalingGroupName: text(255),
          target: z.optional(
            z.object({
              main: launchedFrom(),
              overrides: z.optional(z.array(launchedFrom())),
              policyDigest: z.optional(text(64)),
            }),
          ),
        }),
      )
      .check(z.minLength(1)),
    criterion: criterion(),
    surge: count(1),
    maxUnavailable: count(0),
    canary: count(0),
    bakeSeconds: seconds(),
    stopOn: z.array(text(255)).check(z.maxLength(10)),
    window: z.optional(text(128)),
    annotationTimeoutSeconds: seconds(),
    startedAt: z.iso.datetime({ offset: true }),
    wanted: z.enum(['run', 'paused', 'aborted']),
    resumedAt: z.optional(z.iso.datetime({ offset: true })),
    skipBlocked: z.optional(z.boolean()),
    by: z.optional(text(512)),
    podsUnchecked: z.optional(z.boolean()),
  }),
);

const seenSchema = lazily(() =>
  z.object({
    version: z.literal(1),
    startedAt: z.iso.datetime({ offset: true }),
    state: z.enum(['running', 'paused', 'stopped', 'done', 'aborted']),
    reason: z.string().check(z.maxLength(2000)),
    since: z.iso.datetime({ offset: true }),
    told: z.array(text(64)).check(z.maxLength(50)),
    podsChecked: z.optional(z.boolean()),
    unreadableUntil: z.optional(z.iso.datetime({ offset: true })),
  }),
);

/** The content of a parameter. The reason does not quote the text. */
export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads the text of an `ask` parameter. */
export function readRoll(text: string, name: string): Reading<Roll> {
  const parsed = askSchema().safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'unreadable', why: describeIssues(parsed.error) };
  const { version: _version, startedAt, resumedAt, skipBlocked = false, ...rest } = parsed.data;
  return {
    kind: 'read',
    value: {
      ...rest,
      name,
      startedAt: Date.parse(startedAt),
      ...(resumedAt !== undefined && { resumedAt: Date.parse(resumedAt) }),
      skipBlocked,
    },
  };
}

/** The text of an `ask` parameter: JSON that is readable in the AWS CLI. */
export function formatRoll({ name: _name, startedAt, resumedAt, skipBlocked, ...rest }: Roll): string {
  return JSON.stringify({
    version: 1,
    ...rest,
    startedAt: new Date(startedAt).toISOString(),
    ...(resumedAt !== undefined && { resumedAt: new Date(resumedAt).toISOString() }),
    ...(skipBlocked && { skipBlocked }),
  });
}

/** Reads the text of a `seen` parameter. */
export function readSeen(text: string): Reading<RollSeen> {
  const parsed = seenSchema().safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'unreadable', why: describeIssues(parsed.error) };
  const { version: _version, startedAt, since, unreadableUntil, ...rest } = parsed.data;
  return {
    kind: 'read',
    value: {
      ...rest,
      startedAt: Date.parse(startedAt),
      since: Date.parse(since),
      ...(unreadableUntil !== undefined && { unreadableUntil: Date.parse(unreadableUntil) }),
    },
  };
}

/** The text of a `seen` parameter. */
export const formatSeen = ({ startedAt, since, unreadableUntil, ...rest }: RollSeen): string =>
  JSON.stringify({
    version: 1,
    startedAt: new Date(startedAt).toISOString(),
    ...rest,
    since: new Date(since).toISOString(),
    ...(unreadableUntil !== undefined && { unreadableUntil: new Date(unreadableUntil).toISOString() }),
  });
