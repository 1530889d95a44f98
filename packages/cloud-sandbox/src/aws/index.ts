/** The simulated services of AWS, and the front that clients of the SDK call. */

export { type AutoScaling, createAutoScaling } from './auto-scaling/auto-scaling.ts';
export type { HookWait } from './auto-scaling/controls.ts';
export type { AwsHttpRequest, AwsHttpResponse } from './codec/http.ts';
export { createEc2, type Ec2 } from './ec2/ec2.ts';
export type { SimulatedInstance } from './ec2/model.ts';
export { createEks } from './eks/eks.ts';
export { createEvents } from './events/events.ts';
export { isRecord, type Json, type JsonRecord } from './events/json.ts';
export type { CallDescription } from './front/describe-call.ts';
export { type Authorize, type AwsFront, createAwsFront } from './front/front.ts';
export { createInProcessHandler, type Fault } from './front/in-process.ts';
export type { AwsRequestHandler } from './front/request-handler.ts';
export {
  type CallCount,
  createRequestMeter,
  documentedLimits,
  type RequestBucket,
  type RequestLimits,
} from './front/request-limits.ts';
export type { AskedPermission } from './iam/authorizer.ts';
export type { PolicyContext } from './iam/context.ts';
export { administratorAccess, createIam, type SimulatedIam } from './iam/iam.ts';
export { createIamApi } from './iam/iam-api.ts';
export { createLogs, type SimulatedLogs } from './logs/logs.ts';
export { createRoute53, type ServedZone } from './route53/route53.ts';
export { createS3 } from './s3/s3.ts';
export { createScheduler } from './scheduler/scheduler.ts';
export { AwsError, type AwsService } from './service.ts';
export type { SqsControls } from './sqs/controls.ts';
export { createSqs, type SimulatedSqs } from './sqs/sqs.ts';
export { createSsm, type SimulatedSsm } from './ssm/ssm.ts';
export { createSts } from './sts/sts.ts';
