import * as z from 'zod/mini';
import { instanceIdPattern } from '../../shared/base/instance-id.ts';
import { lazily } from '../../shared/base/lazily.ts';
import { parseJson } from '../../shared/base/parse-json.ts';

/** There is one trial in a cluster at a time: its namespace is its lock, has its record, and goes last. */
export const trialNamespace = 'drover-trial';

/** The hold of a trial, in whichever group. */
export const trialHold = 'drover-trial';

/** The annotation of the namespace that has the record. */
export const trialAnnotation = 'drover.dev/trial';

/** The most instances that a record names. */
export const mostInstances = 500;

const instanceId = () => z.string().check(z.regex(instanceIdPattern));

const recordSchema = lazily(() =>
  z.object({
    cluster: z.string().check(z.maxLength(255)),
    group: z.string().check(z.maxLength(255)),
    startedAt: z.iso.datetime(),
    /** The size that the group had before the trial. */
    desiredCapacity: z.int().check(z.nonnegative()),
    /** The instances of the group before the trial. */
    instanceIds: z.array(instanceId()).check(z.maxLength(mostInstances)),
    /** Written before the hold is made. */
    heldAt: z.optional(z.iso.datetime()),
    /** The instance of the trial, once it is known. */
    instanceId: z.optional(instanceId()),
    /** Written before the instance is terminated. */
    terminatingSince: z.optional(z.iso.datetime()),
  }),
);

/** What another run needs to end a trial: a process that is killed cleans nothing up. */
export type TrialRecord = Readonly<z.infer<ReturnType<typeof recordSchema>>>;

/** Undefined if the text is not a record: something else has made the namespace, or edited it. */
export const readRecord = (text: string | undefined): TrialRecord | undefined =>
  text === undefined ? undefined : recordSchema().safeParse(parseJson(text)).data;
