import type { WireExample } from '../example.ts';
import { autoScalingExample as example } from './auto-scaling-example.ts';

const scheme = 'the page has the namespace with https, which AWS never answers';

/** What is asked of EC2 Auto Scaling. */
export const autoScalingExamples: readonly WireExample[] = [
  example('DescribeAutoScalingGroups', {
    sloppy: `${scheme}; of the members that it shows empty, as they never are (<MaxInstanceLifetime />), one structure and one list are kept`,
    request: `https://autoscaling.amazonaws.com/?Action=DescribeAutoScalingGroups
&AutoScalingGroupNames.member.1=my-asg
&Version=2011-01-01
&AUTHPARAMS`,
    response: `<DescribeAutoScalingGroupsResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <DescribeAutoScalingGroupsResult>
    <AutoScalingGroups>
      <member>
        <AutoScalingGroupName>my-asg</AutoScalingGroupName>
        <MinSize>2</MinSize>
        <MaxSize>10</MaxSize>
        <DesiredCapacity>2</DesiredCapacity>
        <DefaultCooldown>300</DefaultCooldown>
        <AvailabilityZones>
          <member>us-east-1a</member>
          <member>us-east-1b</member>
        </AvailabilityZones>
        <TargetGroupARNs />
        <HealthCheckType>ELB</HealthCheckType>
        <Instances>
          <member>
            <ProtectedFromScaleIn>false</ProtectedFromScaleIn>
            <AvailabilityZone>us-east-1c</AvailabilityZone>
            <InstanceId>i-1234567890abcdef0</InstanceId>
            <InstanceType>t3.micro</InstanceType>
            <HealthStatus>Healthy</HealthStatus>
            <LifecycleState>InService</LifecycleState>
          </member>
        </Instances>
        <CreatedTime>2023-05-06T17:47:15.107Z</CreatedTime>
        <Tags>
          <member>
            <ResourceId>my-asg</ResourceId>
            <PropagateAtLaunch>true</PropagateAtLaunch>
            <Value>test</Value>
            <Key>environment</Key>
            <ResourceType>auto-scaling-group</ResourceType>
          </member>
        </Tags>
        <WarmPoolConfiguration />
      </member>
    </AutoScalingGroups>
  </DescribeAutoScalingGroupsResult>
  <ResponseMetadata>
    <RequestId>7c6e177f-f082-11e1-ac58-3714bEXAMPLE</RequestId>
  </ResponseMetadata>
</DescribeAutoScalingGroupsResponse>`,
    input: { AutoScalingGroupNames: ['my-asg'] },
  }),

  example('DescribeAutoScalingGroups', {
    variant: ', by tags',
    request: `https://autoscaling.amazonaws.com/?Action=DescribeAutoScalingGroups
&Filters.member.1.Name=tag-key
&Filters.member.1.Values.member.1=environment
&Filters.member.2.Name=tag-value
&Filters.member.2.Values.member.1=production
&Version=2011-01-01
&AUTHPARAMS`,
    input: {
      Filters: [
        { Name: 'tag-key', Values: ['environment'] },
        { Name: 'tag-value', Values: ['production'] },
      ],
    },
  }),

  example('DescribeAutoScalingInstances', {
    sloppy: scheme,
    request: `https://autoscaling.amazonaws.com/?Action=DescribeAutoScalingInstances
&InstanceIds.member.1=i-1234567890abcdef0
&Version=2011-01-01
&AUTHPARAMS`,
    response: `<DescribeAutoScalingInstancesResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <DescribeAutoScalingInstancesResult>
    <AutoScalingInstances>
      <member>
        <ProtectedFromScaleIn>false</ProtectedFromScaleIn>
        <AvailabilityZone>us-east-1b</AvailabilityZone>
        <LaunchConfigurationName>my-lc</LaunchConfigurationName>
        <InstanceId>i-1234567890abcdef0</InstanceId>
        <InstanceType>t3.micro</InstanceType>
        <AutoScalingGroupName>my-asg</AutoScalingGroupName>
        <HealthStatus>HEALTHY</HealthStatus>
        <LifecycleState>InService</LifecycleState>
      </member>
    </AutoScalingInstances>
  </DescribeAutoScalingInstancesResult>
  <ResponseMetadata>
    <RequestId>7c6e177f-f082-11e1-ac58-3714bEXAMPLE</RequestId>
  </ResponseMetadata>
</DescribeAutoScalingInstancesResponse>`,
    input: { InstanceIds: ['i-1234567890abcdef0'] },
  }),

  example('DescribeLifecycleHooks', {
    sloppy: scheme,
    request: `https://autoscaling.amazonaws.com/?Action=DescribeLifecycleHooks
&AutoScalingGroupName=my-asg
&Version=2011-01-01
&AUTHPARAMS`,
    response: `<DescribeLifecycleHooksResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <DescribeLifecycleHooksResult>
    <LifecycleHooks>
      <member>
        <AutoScalingGroupName>my-asg</AutoScalingGroupName>
        <RoleARN>arn:aws:iam::1234567890:role/my-auto-scaling-role</RoleARN>
        <LifecycleTransition>autoscaling:EC2_INSTANCE_LAUNCHING</LifecycleTransition>
        <GlobalTimeout>172800</GlobalTimeout>
        <LifecycleHookName>my-launch-hook</LifecycleHookName>
        <HeartbeatTimeout>3600</HeartbeatTimeout>
        <DefaultResult>ABANDON</DefaultResult>
        <NotificationTargetARN>arn:aws:sqs:us-east-1:123456789012:my-queue</NotificationTargetARN>
      </member>
    </LifecycleHooks>
  </DescribeLifecycleHooksResult>
  <ResponseMetadata>
    <RequestId>7c6e177f-f082-11e1-ac58-3714bEXAMPLE</RequestId>
  </ResponseMetadata>
</DescribeLifecycleHooksResponse>`,
    input: { AutoScalingGroupName: 'my-asg' },
  }),

  example('DescribeWarmPool', {
    sloppy: scheme,
    request: `https://autoscaling.amazonaws.com/?Action=DescribeWarmPool
&AutoScalingGroupName=my-asg
&Version=2011-01-01
&AUTHPARAMS`,
    response: `<DescribeWarmPoolResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <DescribeWarmPoolResult>
    <WarmPoolConfiguration>
      <MinSize>30</MinSize>
      <MaxGroupPreparedCapacity>0</MaxGroupPreparedCapacity>
      <PoolState>Hibernated</PoolState>
    </WarmPoolConfiguration>
    <Instances />
  </DescribeWarmPoolResult>
  <ResponseMetadata>
    <RequestId>9351b5ea-b4c0-4a88-b873-c51e4EXAMPLE</RequestId>
  </ResponseMetadata>
</DescribeWarmPoolResponse>`,
    input: { AutoScalingGroupName: 'my-asg' },
  }),
];
