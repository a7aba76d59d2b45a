import { EVENT_RIGHTS, type EventService } from '@frontdesk/contracts';
import kafkajs, { type AclEntry, type AclOperationTypes, type AclResourceTypes, type Admin } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';
import { withAdmin } from './with-admin.ts';

/** Node finds none of these among kafkajs's named exports. */
const { AclOperationTypes: OPERATION, AclPermissionTypes: PERMISSION, AclResourceTypes: RESOURCE } = kafkajs;
const { ResourcePatternTypes: PATTERN } = kafkajs;

/**
 * Gives the user of each service the rights of `EVENT_RIGHTS`, and takes away what others it has to topics and groups under the
 * client's prefix. What an operator denies stays denied. To describe a topic or a group needs no right of its own: who may write or read
 * it may.
 */
export async function ensureRights(kafka: KafkaClient): Promise<void> {
  await withAdmin(kafka, async (admin) => {
    for (const service of Object.keys(EVENT_RIGHTS) as EventService[]) {
      const wanted = rightsOf(service, kafka.nameOf);
      await admin.createAcls({ acl: wanted });
      const kept = new Set(wanted.map(keyOf));
      const others = (await rightsIn(admin, service)).filter(
        (right) => right.resourceName.startsWith(kafka.nameOf('')) && !kept.has(keyOf(right)),
      );
      if (others.length > 0) await admin.deleteAcls({ filters: others });
    }
  });
}

const principalOf = (service: EventService) => `User:${service}`;

function rightsOf(service: EventService, nameOf: KafkaClient['nameOf']): AclEntry[] {
  const { writes, reads } = EVENT_RIGHTS[service];
  const right = (resourceType: AclResourceTypes, name: string, operation: AclOperationTypes): AclEntry => ({
    resourceType,
    operation,
    resourceName: nameOf(name),
    principal: principalOf(service),
    host: '*',
    resourcePatternType: PATTERN.LITERAL,
    permissionType: PERMISSION.ALLOW,
  });
  return [
    ...writes.map((topic) => right(RESOURCE.TOPIC, topic, OPERATION.WRITE)),
    ...[...new Set(Object.values(reads).flat())].map((topic) => right(RESOURCE.TOPIC, topic, OPERATION.READ)),
    ...Object.keys(reads).map((group) => right(RESOURCE.GROUP, group, OPERATION.READ)),
  ];
}

async function rightsIn(admin: Admin, service: EventService): Promise<AclEntry[]> {
  const { resources } = await admin.describeAcls({
    resourceType: RESOURCE.ANY,
    resourcePatternType: PATTERN.ANY,
    principal: principalOf(service),
    operation: OPERATION.ANY,
    permissionType: PERMISSION.ALLOW,
  });
  return resources.flatMap(({ acls, ...resource }) => acls.map((acl) => ({ ...resource, ...acl })));
}

const keyOf = ({ resourceType, resourceName, resourcePatternType, host, operation }: AclEntry) =>
  [resourceType, resourcePatternType, host, operation, resourceName].join(' ');
