import { capacityReservation } from './capacity-reservation.ts';
import { health } from './health.ts';
import type { Kind } from './kind.ts';
import { launchAction } from './launch-action.ts';
import { rebalance } from './rebalance.ts';
import {
  launchSuccessful,
  launchUnsuccessful,
  terminateSuccessful,
  terminateUnsuccessful,
} from './scaling-activity.ts';
import { spotInterruption } from './spot-interruption.ts';
import { stateChange } from './state-change.ts';
import { terminateAction } from './terminate-action.ts';

/** Every kind that Drover knows, by source and detail-type as AWS spells them. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['aws.autoscaling/EC2 Instance-launch Lifecycle Action', launchAction],
  ['aws.autoscaling/EC2 Instance-terminate Lifecycle Action', terminateAction],
  ['aws.autoscaling/EC2 Instance Launch Successful', launchSuccessful],
  ['aws.autoscaling/EC2 Instance Launch Unsuccessful', launchUnsuccessful],
  ['aws.autoscaling/EC2 Instance Terminate Successful', terminateSuccessful],
  ['aws.autoscaling/EC2 Instance Terminate Unsuccessful', terminateUnsuccessful],
  ['aws.ec2/EC2 Spot Instance Interruption Warning', spotInterruption],
  ['aws.ec2/EC2 Instance Rebalance Recommendation', rebalance],
  ['aws.ec2/EC2 Instance State-change Notification', stateChange],
  ['aws.ec2/EC2 Capacity Reservation Instance Interruption Warning', capacityReservation],
  ['aws.health/AWS Health Event', health],
]);

/** Undefined: no kind of ours. */
export const kindOf = (source: string, detailType: string): Kind | undefined =>
  kinds.get(`${source}/${detailType}`);
