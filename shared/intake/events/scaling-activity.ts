import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { groupName, instanceId } from './fields.ts';
import { ignored, kind } from './kind.ts';

const activitySchema = lazily(() =>
  z.object({
    AutoScalingGroupName: groupName(),
    /** Empty where a launch failed before there was an instance. */
    EC2InstanceId: z.optional(z.union([instanceId(), z.literal('')])),
    StatusCode: z.optional(z.string().check(z.maxLength(64))),
  }),
);

const activity = (reason: string) => kind({ schema: activitySchema, mean: () => ignored(reason) });

/** The end of a scaling activity: what it reports has its own, earlier event wherever it asks for something. */
export const launchSuccessful = activity('the launch is over; its lifecycle action said all that matters');
export const launchUnsuccessful = activity('nothing was launched; Auto Scaling tries again by itself');
export const terminateSuccessful = activity('EC2 has already said that the instance shuts down');
export const terminateUnsuccessful = activity('nothing was terminated; Auto Scaling tries again by itself');
