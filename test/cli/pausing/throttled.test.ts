import { expect, it } from 'vitest';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { autoScalingAnswer, awsOnLoopback, refusal, withoutWaits } from '../../support/aws-on-loopback.ts';
import { runDrover } from '../run-drover.ts';

const groups = autoScalingAnswer(
  'DescribeAutoScalingGroups',
  `<AutoScalingGroups><member>
    <AutoScalingGroupName>workers</AutoScalingGroupName><Instances/>
    <Tags>
      <member><Key>kubernetes.io/cluster/prod</Key><Value>owned</Value></member>
      <member><Key>drover.dev/role</Key><Value>worker</Value></member>
    </Tags>
  </member></AutoScalingGroups>`,
);

it('drover pause succeeds although Auto Scaling throttles one of its calls', async () => {
  withoutWaits();
  const tagged = autoScalingAnswer('CreateOrUpdateTags');
  const hooks = autoScalingAnswer('DescribeLifecycleHooks', '<LifecycleHooks/>');
  const identity = autoScalingAnswer('GetCallerIdentity', '<Arn>arn:aws:iam::123456789012:user/ana</Arn>');
  const { asked, environment } = await awsOnLoopback([
    groups,
    identity,
    refusal('Throttling'),
    tagged,
    hooks,
  ]);
  const run = await runDrover('pause workers --cluster prod', {
    environment,
    clock: { now: () => Date.now(), after: () => ({ cancel: () => undefined }) },
    pause: () => Promise.resolve(),
    sendHttp,
  });
  expect(run).toEqual({ exitCode: 0, stdout: 'paused workers\n', stderr: '' });
  expect(asked).toHaveLength(5);
});
