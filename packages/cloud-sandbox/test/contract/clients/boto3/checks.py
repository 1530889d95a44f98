"""What boto3 does with the sandbox, a function for each sentence: `python3 checks.py NAME` ends with 0 where it holds."""

import io
import os
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from unittest import mock

import boto3
from botocore.auth import get_current_datetime
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError

NAME = os.environ["CASE_NAME"]
BUCKET = "snapshots"


def client(service, **options):
    return boto3.client(service, config=Config(retries={"max_attempts": 1}, **options))


def code_of(call):
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"]
    raise AssertionError("it was not refused")


def subnets():
    return [subnet["SubnetId"] for subnet in client("ec2").describe_subnets()["Subnets"]]


def make_group(size):
    client("ec2").create_launch_template(
        LaunchTemplateName=NAME,
        LaunchTemplateData={"InstanceType": "m5.large", "ImageId": "ami-0123456789abcdef0"},
    )
    client("autoscaling").create_auto_scaling_group(
        AutoScalingGroupName=NAME,
        LaunchTemplate={"LaunchTemplateName": NAME, "Version": "$Latest"},
        MinSize=0,
        MaxSize=size,
        DesiredCapacity=size,
        VPCZoneIdentifier=",".join(subnets()),
    )


def paginators():
    groups = client("autoscaling").get_paginator("describe_auto_scaling_instances")
    instances = [
        instance["InstanceId"]
        for page in groups.paginate(PaginationConfig={"PageSize": 1})
        for instance in page["AutoScalingInstances"]
    ]
    assert len(instances) == len(set(instances)) >= 6, instances
    ssm = client("ssm")
    for leaf in range(12):
        ssm.put_parameter(Name=f"/{NAME}/{leaf:02}", Type="String", Value="x")
    pages = list(ssm.get_paginator("get_parameters_by_path").paginate(Path=f"/{NAME}"))
    assert [len(page["Parameters"]) for page in pages] == [10, 2], pages
    s3 = client("s3")
    for leaf in range(5):
        s3.put_object(Bucket=BUCKET, Key=f"{NAME}/{leaf}", Body=b"x")
    objects = s3.get_paginator("list_objects_v2").paginate(
        Bucket=BUCKET, Prefix=f"{NAME}/", PaginationConfig={"PageSize": 2}
    )
    assert [len(page["Contents"]) for page in objects] == [2, 2, 1]
    zone = client("route53").list_hosted_zones()["HostedZones"][0]["Id"]
    records = client("route53").get_paginator("list_resource_record_sets").paginate(
        HostedZoneId=zone, PaginationConfig={"PageSize": 1}
    )
    kinds = [record["Type"] for page in records for record in page["ResourceRecordSets"]]
    assert kinds[:2] == ["NS", "SOA"], kinds
    machines = client("ec2").get_paginator("describe_instances").paginate(PaginationConfig={"PageSize": 5})
    assert sum(len(reservation["Instances"]) for page in machines for reservation in page["Reservations"]) >= 6


def waiters():
    quick = {"Delay": 1, "MaxAttempts": 90}
    ec2 = client("ec2")
    started = ec2.run_instances(ImageId="ami-0123456789abcdef0", InstanceType="m5.large", MinCount=1, MaxCount=1)
    ids = [started["Instances"][0]["InstanceId"]]
    ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=quick)
    ec2.terminate_instances(InstanceIds=ids)
    ec2.get_waiter("instance_terminated").wait(InstanceIds=ids, WaiterConfig=quick)
    route53 = client("route53")
    zone = route53.list_hosted_zones()["HostedZones"][0]["Id"]
    record = {"Name": f"{NAME}.sandbox.internal", "Type": "TXT", "TTL": 5, "ResourceRecords": [{"Value": '"x"'}]}
    change = route53.change_resource_record_sets(
        HostedZoneId=zone,
        ChangeBatch={"Changes": [{"Action": "CREATE", "ResourceRecordSet": record}]},
    )["ChangeInfo"]
    assert change["Status"] == "PENDING"
    route53.get_waiter("resource_record_sets_changed").wait(Id=change["Id"], WaiterConfig=quick)
    s3 = client("s3")
    s3.get_waiter("bucket_exists").wait(Bucket=BUCKET, WaiterConfig=quick)
    try:
        s3.get_waiter("object_exists").wait(
            Bucket=BUCKET, Key="nothing", WaiterConfig={"Delay": 1, "MaxAttempts": 2}
        )
    except WaiterError:
        return
    raise AssertionError("it waited for nothing and did not say so")


def timestamps():
    ssm = client("ssm")
    ssm.put_parameter(Name=f"/{NAME}", Type="String", Value="x")
    s3 = client("s3")
    s3.put_object(Bucket=BUCKET, Key=NAME, Body=b"x")
    now = datetime.now(timezone.utc)
    times = {
        "query": client("autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"][0]["CreatedTime"],
        "ec2": client("ec2").describe_instances()["Reservations"][0]["Instances"][0]["LaunchTime"],
        "json": ssm.get_parameter(Name=f"/{NAME}")["Parameter"]["LastModifiedDate"],
        "rest-json": client("scheduler").list_schedule_groups()["ScheduleGroups"][0]["CreationDate"],
        "header": s3.head_object(Bucket=BUCKET, Key=NAME)["LastModified"],
        "rest-xml": s3.list_objects_v2(Bucket=BUCKET, Prefix=NAME)["Contents"][0]["LastModified"],
    }
    for protocol, at in times.items():
        assert abs(now - at) < timedelta(minutes=30), (protocol, at, now)


def errors():
    sqs, ssm, events = client("sqs"), client("ssm"), client("events")
    for call, wanted in [
        (lambda: sqs.get_queue_url(QueueName="none"), sqs.exceptions.QueueDoesNotExist),
        (lambda: ssm.get_parameter(Name="/none"), ssm.exceptions.ParameterNotFound),
        (lambda: events.describe_rule(Name="none"), events.exceptions.ResourceNotFoundException),
    ]:
        try:
            call()
        except wanted as error:
            assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400
            assert error.response["ResponseMetadata"]["RequestId"]
        else:
            raise AssertionError(f"it was not refused as {wanted}")
    s3, route53 = client("s3"), client("route53")
    assert code_of(lambda: s3.get_object(Bucket=BUCKET, Key="none")) == "NoSuchKey"
    try:
        route53.get_hosted_zone(Id="Z0000000000")
    except route53.exceptions.NoSuchHostedZone as error:
        assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 404
    else:
        raise AssertionError("the zone was not refused")
    assert code_of(lambda: client("ec2").describe_instances(InstanceIds=["i-1"])) == "InvalidInstanceID.Malformed"


def resources():
    ec2 = boto3.resource("ec2")
    workers = list(ec2.instances.filter(Filters=[{"Name": "tag:role", "Values": ["worker"]}]))
    assert [worker.state["Name"] for worker in workers] == ["running"] * 3
    queue = boto3.resource("sqs").create_queue(QueueName=NAME)
    queue.send_message(MessageBody="one", MessageAttributes={"a": {"DataType": "Number", "StringValue": "1"}})
    (message,) = queue.receive_messages(WaitTimeSeconds=5, MessageAttributeNames=["All"])
    assert message.message_attributes["a"]["StringValue"] == "1"
    message.delete()
    queue.delete()
    bucket = boto3.resource("s3").create_bucket(
        Bucket=NAME, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
    )
    for key in ("a/1", "a/2", "b"):
        bucket.put_object(Key=key, Body=b"x", Metadata={"note": key})
    assert [thing.key for thing in bucket.objects.filter(Prefix="a/")] == ["a/1", "a/2"]
    assert bucket.Object("b").metadata == {"note": "b"}
    bucket.objects.all().delete()
    bucket.delete()


def transfers():
    s3 = client("s3")
    content = os.urandom(20_000_000)
    s3.upload_fileobj(io.BytesIO(content), BUCKET, f"{NAME}/big", ExtraArgs={"Metadata": {"note": "x"}})
    assert s3.head_object(Bucket=BUCKET, Key=f"{NAME}/big")["Metadata"] == {"note": "x"}
    back = io.BytesIO()
    s3.download_fileobj(BUCKET, f"{NAME}/big", back)
    assert back.getvalue() == content
    part = s3.get_object(Bucket=BUCKET, Key=f"{NAME}/big", Range="bytes=5-9")["Body"].read()
    assert part == content[5:10]


def fetch(url):
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def presigned():
    s3 = client("s3", signature_version="s3v4")
    s3.put_object(Bucket=BUCKET, Key=f"{NAME}/a b", Body=b"content")
    sign = lambda seconds: s3.generate_presigned_url(
        "get_object", Params={"Bucket": BUCKET, "Key": f"{NAME}/a b"}, ExpiresIn=seconds
    )
    assert fetch(sign(60)) == (200, b"content")
    expiring = sign(1)
    time.sleep(2.5)
    status, body = fetch(expiring)
    assert status == 403 and b"<Message>Request has expired</Message>" in body, (status, body)
    changed = sign(60).replace("a%20b", "other")
    assert fetch(changed)[0] == 403
    # As an IAM token of a cluster is made.
    identity = client("sts").generate_presigned_url("get_caller_identity", HttpMethod="GET")
    status, body = fetch(identity)
    assert status == 200 and b"user/you" in body, (status, body)


def wrong_secret():
    session = boto3.Session(aws_secret_access_key="wrong", aws_access_key_id=os.environ["AWS_ACCESS_KEY_ID"])
    refused = {
        service: code_of(getattr(session.client(service), call))
        for service, call in [
            ("sts", "get_caller_identity"),
            ("ec2", "describe_instances"),
            ("sqs", "list_queues"),
            ("s3", "list_buckets"),
        ]
    }
    assert refused == {
        "sts": "SignatureDoesNotMatch",
        "ec2": "AuthFailure",
        "sqs": "SignatureDoesNotMatch",
        "s3": "SignatureDoesNotMatch",
    }, refused


def wrong_clock():
    calls = [
        ("sts", "get_caller_identity", "SignatureDoesNotMatch"),
        ("ec2", "describe_instances", "RequestExpired"),
        ("ssm", "describe_parameters", "InvalidSignatureException"),
        ("s3", "list_buckets", "RequestTimeTooSkewed"),
    ]
    for minutes in (-20, 20):
        shifted = lambda *_, **__: get_current_datetime() + timedelta(minutes=minutes)
        with mock.patch("botocore.auth.get_current_datetime", shifted):
            for service, call, wanted in calls:
                refused = code_of(getattr(client(service), call))
                assert refused == wanted, (minutes, service, refused)


def lifecycle():
    make_group(1)
    groups = client("autoscaling")
    hook = {"AutoScalingGroupName": NAME, "LifecycleHookName": "own"}
    groups.put_lifecycle_hook(
        **hook, LifecycleTransition="autoscaling:EC2_INSTANCE_TERMINATING", HeartbeatTimeout=300
    )
    state = lambda: (
        groups.describe_auto_scaling_groups(AutoScalingGroupNames=[NAME])["AutoScalingGroups"][0]["Instances"]
        or [{"LifecycleState": "gone"}]
    )[0]

    def until(wanted):
        for _ in range(240):
            if state()["LifecycleState"] == wanted:
                return
            time.sleep(0.5)
        raise AssertionError(f"{state()} is not {wanted}")

    until("InService")
    instance = state()["InstanceId"]
    groups.terminate_instance_in_auto_scaling_group(InstanceId=instance, ShouldDecrementDesiredCapacity=True)
    until("Terminating:Wait")
    groups.record_lifecycle_action_heartbeat(**hook, InstanceId=instance)
    groups.complete_lifecycle_action(**hook, InstanceId=instance, LifecycleActionResult="CONTINUE")
    until("gone")
    groups.delete_auto_scaling_group(AutoScalingGroupName=NAME)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
