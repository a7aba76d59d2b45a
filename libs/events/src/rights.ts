import { EVENT_RIGHTS, type EventService } from '@frontdesk/contracts';
import type { AclEntry, Admin } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';
import { ANY, OPERATION, PATTERN, PERMISSION, RESOURCE } from './protocol-numbers.ts';

/**
 * Gives the user of each service the rights of `EVENT_RIGHTS`, and takes away what others it has to topics and groups under the
 * client's prefix. To describe a topic or a group needs no right of its own: who may write or read it may.
 */
export async function ensureRights(kafka: KafkaClient): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    for (const service of Object.keys(EVENT_RIGHTS) as EventService[]) {
      const wanted = rightsOf(service, kafka.nameOf);
      await admin.createAcls({ acl: wanted });
      const kept = new Set(wanted.map(keyOf));
      const others = (await rightsIn(admin, service)).filter(
        (right) => right.resourceName.startsWith(kafka.nameOf('')) && !kept.has(keyOf(right)),
      );
      if (others.length > 0) await admin.deleteAcls({ filters: others });
    }
  } finally {
    await admin.disconnect();
  }
}

const principalOf = (service: EventService) => `User:${service}`;

function rightsOf(service: EventService, nameOf: KafkaClient['nameOf']): AclEntry[] {
  const { writes, reads } = EVENT_RIGHTS[service];
  const right = (resourceType: 2 | 3, name: string, operation: 3 | 4): AclEntry => ({
    ...{ resourceType, operation, resourceName: nameOf(name), principal: principalOf(service), host: '*' },
    resourcePatternType: PATTERN.literal,
    permissionType: PERMISSION.allow,
  });
  return [
    ...writes.map((topic) => right(RESOURCE.topic, topic, OPERATION.write)),
    ...[...new Set(Object.values(reads).flat())].map((topic) => right(RESOURCE.topic, topic, OPERATION.read)),
    ...Object.keys(reads).map((group) => right(RESOURCE.group, group, OPERATION.read)),
  ];
}

async function rightsIn(admin: Admin, service: EventService): Promise<AclEntry[]> {
  const { resources } = await admin.describeAcls({
    resourceType: ANY,
    resourcePatternType: ANY,
    principal: principalOf(service),
    operation: ANY,
    permissionType: ANY,
  });
  return resources.flatMap(({ acls, ...resource }) => acls.map((acl) => ({ ...resource, ...acl })));
}

const keyOf = ({
  resourceType,
  resourceName,
  resourcePatternType,
  host,
  operation,
  permissionType,
}: AclEntry) => [resourceType, resourcePatternType, host, operation, permissionType, resourceName].join(' ');
