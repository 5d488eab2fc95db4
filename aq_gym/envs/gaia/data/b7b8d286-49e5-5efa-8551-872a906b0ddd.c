#include <stdio.h>

int main(void) {
    int values[] = {12, 7, 34, 9, 56}, total = 0;
    for (int i = 0; i < 5; i++)
        if (values[i] % 2 == 0) total += values[i];
    printf("%d", total - 7);
}
