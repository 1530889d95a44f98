import type { WireExample } from '../example.ts';

const targetGroup =
  'arn:aws:elasticloadbalancing:us-west-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067';

export const ec2Examples: readonly WireExample[] = [
  {
    service: 'ec2',
    operation: 'DescribeInstances',
    page: 'https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html',
    sloppy:
      'the request lacks its Version, which EC2 demands; the response is shortened, and has the IPv6 address only in the interface',
    request: `https://ec2.amazonaws.com/?Action=DescribeInstances
&InstanceId.1=i-1234567890abcdef0
&AUTHPARAMS`,
    response: `<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
    <requestId>8f7724cf-496f-496e-8fe3-example</requestId>
    <reservationSet>
        <item>
            <reservationId>r-1234567890abcdef0</reservationId>
            <ownerId>123456789012</ownerId>
            <groupSet/>
            <instancesSet>
                <item>
                    <instanceId>i-1234567890abcdef0</instanceId>
                    <instanceState>
                        <code>16</code>
                        <name>running</name>
                    </instanceState>
                    <privateDnsName>ip-192-168-1-88.eu-west-1.compute.internal</privateDnsName>
                    <reason/>
                    <amiLaunchIndex>0</amiLaunchIndex>
                    <productCodes/>
                    <launchTime>2018-05-08T16:46:19.000Z</launchTime>
                    <placement>
                        <availabilityZone>eu-west-1c</availabilityZone>
                        <groupName/>
                        <tenancy>default</tenancy>
                    </placement>
                    <privateIpAddress>192.168.1.88</privateIpAddress>
                    <ipAddress>54.194.252.215</ipAddress>
                    <sourceDestCheck>true</sourceDestCheck>
                    <groupSet>
                        <item>
                            <groupId>sg-e4076980</groupId>
                            <groupName>SecurityGroup1</groupName>
                        </item>
                    </groupSet>
                    <tagSet>
                        <item>
                            <key>Name</key>
                            <value>Server_1</value>
                        </item>
                    </tagSet>
                    <iamInstanceProfile>
                        <arn>arn:aws:iam::123456789012:instance-profile/AdminRole</arn>
                        <id>ABCAJEDNCAA64SSD123AB</id>
                    </iamInstanceProfile>
                    <ebsOptimized>false</ebsOptimized>
                </item>
            </instancesSet>
        </item>
    </reservationSet>
</DescribeInstancesResponse>`,
    input: { InstanceIds: ['i-1234567890abcdef0'] },
  },
  {
    service: 'elasticloadbalancing',
    operation: 'DescribeTargetHealth',
    page: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_DescribeTargetHealth.html',
    request: `https://elasticloadbalancing.amazonaws.com/?Action=DescribeTargetHealth
&TargetGroupArn=${targetGroup}
&Targets.member.1.Id=i-0f76fade
&Targets.member.1.Port=80
&Version=2015-12-01
&AUTHPARAMS`,
    response: `<DescribeTargetHealthResponse xmlns="http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/">
  <DescribeTargetHealthResult>
    <TargetHealthDescriptions>
      <member>
        <HealthCheckPort>80</HealthCheckPort>
        <TargetHealth>
          <State>healthy</State>
        </TargetHealth>
        <Target>
          <Port>80</Port>
          <Id>i-0f76fade</Id>
        </Target>
      </member>
    </TargetHealthDescriptions>
  </DescribeTargetHealthResult>
  <ResponseMetadata>
    <RequestId>c534f810-f389-11e5-9192-3fff33344cfa</RequestId>
  </ResponseMetadata>
</DescribeTargetHealthResponse>`,
    input: { TargetGroupArn: targetGroup, Targets: [{ Id: 'i-0f76fade', Port: 80 }] },
  },
];
